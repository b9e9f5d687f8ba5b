import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ServiceName } from '@drawbridge/contracts';

/** Ten processes can start at once, on a machine that also runs other tests. */
const START_MS = 100_000;
const LOOK_MS = 20;
const LAST_WORDS = 15;

/** Child processes that would otherwise continue after this process exits. */
const alive = new Set<ChildProcess>();
process.once('exit', () => alive.forEach((child) => child.kill('SIGKILL')));

export interface Command {
  /** Determines the name of the log file, `<name>.log`. */
  name: string;
  command: string[];
  env: NodeJS.ProcessEnv;
  /** Matches the log line of a process that is ready. */
  readyWhen: RegExp;
}

export interface Running {
  name: string;
  pid: number;
  /** The match of `readyWhen`. */
  ready: RegExpExecArray;
  /** Resolves with the exit code, or null after a signal. */
  exited: Promise<number | null>;
  /** Sends the signal and waits for the exit. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/**
 * Starts a process, appends its output to a file in `logFolder`, and waits until a line matches. Throws an error with the last output if the process
 * exits first, or after 100 s.
 */
export async function startChild({ name, command, env, readyWhen }: Command, logFolder: string): Promise<Running> {
  const logFile = join(logFolder, `${name}.log`);
  const output = openSync(logFile, 'a');
  const from = statSync(logFile).size;
  const [file = '', ...args] = command;
  // The file contains the last output of a killed process and, unlike a pipe, needs no reader.
  const child = spawn(file, args, { env, stdio: ['ignore', output, output] });
  closeSync(output);
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  alive.add(child);
  void exited.finally(() => alive.delete(child));

  const end = (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal);
    return exited;
  };
  const written = (): string => readFrom(logFile, from);
  try {
    const ready = await untilReady({ name, readyWhen, written, exited });
    return { name, pid: child.pid ?? 0, ready, exited, end };
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
}

/** Starts all commands or none: if a command fails, stops all others, including processes that become ready later. */
export async function startChildren(commands: Command[], logFolder: string): Promise<Running[]> {
  const starts = await Promise.allSettled(commands.map((command) => startChild(command, logFolder)));
  const started = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []));
  const failed = starts.find((start) => start.status === 'rejected');
  if (!failed) return started;
  await Promise.all(started.map((child) => child.end('SIGKILL')));
  throw failed.reason;
}

/** Reads only from `position` on, because a long log is polled every few milliseconds. */
function readFrom(file: string, position: number): string {
  const bytes = Buffer.alloc(statSync(file).size - position);
  const opened = openSync(file, 'r');
  const read = readSync(opened, bytes, 0, bytes.length, position);
  closeSync(opened);
  return bytes.toString('utf8', 0, read);
}

async function untilReady({ name, readyWhen, written, exited }: Waiting): Promise<RegExpExecArray> {
  let ended = false;
  void exited.then(() => (ended = true));
  const giveUpAt = Date.now() + START_MS;
  for (;;) {
    const hasEnded = ended;
    const ready = readyWhen.exec(written());
    if (ready) return ready;
    if (hasEnded || Date.now() > giveUpAt) {
      const words = written().split('\n').slice(-LAST_WORDS).join('\n');
      throw new Error(`${name} ${hasEnded ? 'ended before it was ready' : 'is not ready'}:\n${words}`);
    }
    await sleep(LOOK_MS);
  }
}

interface Waiting {
  name: string;
  readyWhen: RegExp;
  written: () => string;
  exited: Promise<number | null>;
}

/** Settings of glibc's memory allocator. They have the same values as in `npm start` and the images. */
const MEMORY = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '1048576' };

/** Returns the environment of started processes. Excludes variables that would configure the product or Node.js unintentionally. */
export function baseEnv(): Record<string, string> {
  const kept = ['PATH', 'HOME', 'TMPDIR', 'JAVA_HOME'];
  return {
    ...MEMORY,
    METRICS_PORT: '0', // the default port would conflict between parallel processes
    ...Object.fromEntries(kept.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []))),
  };
}

const ROOT = join(import.meta.dirname, '../../..');

/** Returns the command that starts a service. `services` is the folder that contains a folder per service. */
export function serviceCommand(service: ServiceName, services = join(ROOT, 'services')): string[] {
  return [process.execPath, join(services, service, 'dist/main.js')];
}

export function cliCommand(args: string[], cli = join(ROOT, 'packages/cli/dist/main.js')): string[] {
  return [process.execPath, cli, ...args];
}

/** Commands for moto: installed by `.ci/run`, or in the PATH. */
export const MOTO = [join(ROOT, '.cache/moto/bin/moto_server'), 'moto_server'];
export const KAFKA_SCRIPT = join(ROOT, 'scripts/kafka.mjs');
export const SANDBOX_BUILD = join(ROOT, 'deploy/sandbox/build.mjs');
export const DOCKER_SCRIPT = join(ROOT, 'scripts/docker-engine.mjs');

/** The range of ports for tests. It is below the ephemeral ports, so that no outgoing connection uses a port before its server starts. */
const FIRST = 20_000;
const LAST = 31_999;
/** Each Jest worker chooses from its own part of the range, so that no other test file starts a server at a port that is not used yet. */
const PARTS = 8;
const PART_SIZE = (LAST - FIRST + 1) / PARTS;

/** The position in the part of the port that is tried next. Files that a worker runs one after another begin at different positions. */
let position = Math.floor(Math.random() * PART_SIZE);

/**
 * Returns a free loopback port, for processes that need each other's address before they start. Tries the ports in order, because the server of
 * a port that was returned before may not have started yet.
 */
export async function freePort(): Promise<number> {
  const first = FIRST + (Number(process.env['JEST_WORKER_ID'] ?? 0) % PARTS) * PART_SIZE;
  for (;;) {
    const port = first + (position++ % PART_SIZE);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  try {
    probe.listen(port, '127.0.0.1');
    await once(probe, 'listening');
    probe.close();
    await once(probe, 'close');
    return true;
  } catch {
    return false;
  }
}
