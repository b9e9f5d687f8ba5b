import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerHome } from './server-home.js';
import { SERVER_ENV, type ServerSettings, settingFlags } from './settings.js';

export type Server = {
  port: number;
  pid: number;
  /** Resolves with its exit code or signal, and its last log lines. */
  exited: Promise<string>;
  stop(): Promise<void>;
};

export interface LaunchOptions {
  home: ServerHome;
  data: string;
  /** The port to listen on; a free one by default. */
  port?: number;
  settings: ServerSettings;
  /** Receives each line that the server writes. */
  log: (line: string) => void;
}

/** Temporary errors: the port was taken meanwhile, or sessions of a killed server are still ending. */
const PASSING = /Address already in use|pre-existing shared memory|lock file .* already exists/;
const ATTEMPTS = 20;
/** Time limit of a fast shutdown. After it the server is stopped immediately, and recovers from its log at the next start. */
const PATIENCE = 20_000;

/** Starts the server and waits until it accepts connections. Throws an error with the server's last log lines. */
export async function launch(wanted: LaunchOptions): Promise<Server> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await tryLaunch(wanted);
    } catch (error) {
      if (attempt === ATTEMPTS || !PASSING.test(String(error))) throw error;
      await sleep(250);
    }
  }
}

async function tryLaunch({ home, data, port: given, settings, log }: LaunchOptions): Promise<Server> {
  const port = given ?? (await freePort());
  // Detached, because Ctrl-C signals every process of the terminal's group, and the database must outlive the drain.
  const flags = ['-D', data, '-p', String(port), ...settingFlags(settings)];
  const child = spawn(join(home.native, 'bin/postgres'), flags, {
    ...home.user,
    cwd: home.folder,
    env: SERVER_ENV,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const words = lastWords(child, log);
  const exited = new Promise<string>((resolve) => {
    child.once('close', (code, signal) => resolve([signal ?? `code ${code}`, ...words].join(' | ')));
  });
  const killOnExit = () => child.kill('SIGINT');
  process.once('exit', killOnExit);
  void exited.then(() => process.off('exit', killOnExit));

  await ready(child, exited);
  return { port, pid: child.pid ?? 0, exited, stop: () => shutDown(child, exited) };
}

/** Returns the server's last log lines, at most five; a live array. */
function lastWords(child: ChildProcess, log: (line: string) => void): string[] {
  const words: string[] = [];
  if (child.stderr) {
    createInterface(child.stderr).on('line', (line) => {
      log(line);
      words.push(line);
      if (words.length > 5) words.shift();
      if (!line.includes('database system is ready to accept connections')) return;
      words.length = 0; // lines of the start do not explain an exit
      child.emit('ready');
    });
  }
  return words;
}

function ready(child: ChildProcess, exited: Promise<string>): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('ready', resolve).once('error', reject);
    void exited.then((end) => reject(new Error(`PostgreSQL ended: ${end}`)));
  });
}

async function shutDown(child: ChildProcess, exited: Promise<string>) {
  child.kill('SIGINT');
  const impatient = setTimeout(() => child.kill('SIGQUIT'), PATIENCE);
  await exited;
  clearTimeout(impatient);
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}
