import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from './eventually.js';
import { installedSdk } from './packed-sdk.js';

/** A command that has ended. */
export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Started {
  /** Returns the output so far. */
  stdout(): string;
  stderr(): string;
  /** Waits until stdout or stderr matches, and returns the match. */
  until(text: RegExp): Promise<RegExpExecArray>;
  /** Sends a signal: by default SIGINT, as Ctrl+C does. */
  interrupt(signal?: NodeJS.Signals): void;
  type(text: string): void;
  ended: Promise<Ended>;
}

export interface CliOptions {
  env?: Record<string, string>;
  cwd?: string;
  /** The text on stdin. Without one, stdin is empty. */
  input?: string;
  inTerminal?: boolean;
  /** Keeps stdin open for `type`. */
  isTyped?: boolean;
}

/** The program `drawbridge`, installed as users install it. */
export interface Cli {
  /** A folder for the files of a test. */
  folder: string;
  /** The folder of the program. */
  bin: string;
  start(args: readonly string[], options?: CliOptions): Started;
  /** Runs a command until it ends. */
  run(args: readonly string[], options?: CliOptions): Promise<Ended>;
  startShell(commands: string, options?: CliOptions): Started;
  /** Runs the commands of a shell until they end. */
  shell(commands: string, options?: CliOptions): Promise<Ended>;
  stop(): void;
}

/** Installs the program. `env` is for all of its commands; they have no configuration and no other variables of Drawbridge. */
export async function sdkCli(env: Record<string, string>): Promise<Cli> {
  const installed = await installedSdk();
  const folder = mkdtempSync(join(installed, 'work-'));
  const bin = join(installed, 'node_modules/.bin');
  mkdirSync(join(folder, 'config'));
  const base = { PATH: `${bin}:${process.env['PATH']}`, HOME: folder, XDG_CONFIG_HOME: join(folder, 'config'), ...env };
  const all: Started[] = [];
  const startAny = (command: readonly string[], options: CliOptions = {}): Started => {
    const started = startProgram(command, { cwd: folder, ...options, env: { ...base, ...options.env } });
    all.push(started);
    return started;
  };
  const start: Cli['start'] = (args, options) => startAny(['drawbridge', ...args], options);
  const startShell: Cli['startShell'] = (commands, options) => startAny(['sh', '-ec', commands], options);
  return {
    folder,
    bin,
    start,
    run: (args, options) => start(args, options).ended,
    startShell,
    shell: (commands, options) => startShell(commands, options).ended,
    stop() {
      for (const started of all) started.interrupt('SIGKILL'); // a failed test can leave programs running
      rmSync(installed, { recursive: true });
    },
  };
}

function startProgram(command: readonly string[], { env, cwd, input = '', inTerminal, isTyped }: CliOptions): Started {
  const [program, ...args] = inTerminal ? inPty(command) : command;
  const child = spawn(program!, args, { env, cwd });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => (stdout += chunk));
  child.stderr.on('data', (chunk) => (stderr += chunk));
  child.stdin.on('error', () => undefined); // A command that ends early does not read it.
  if (!isTyped) child.stdin.end(input);
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject).on('close', (code) => resolve({ code, stdout, stderr }));
  });
  return {
    stdout: () => stdout,
    stderr: () => stderr,
    until: (text) =>
      eventually(async () => {
        const found = text.exec(stdout) ?? text.exec(stderr);
        if (!found) throw new Error(`${text} is not in the output:\n${stdout}\n${stderr}`);
        return found;
      }),
    interrupt: (signal = 'SIGINT') => void child.kill(signal),
    type: (typed) => void child.stdin.write(typed),
    ended,
  };
}

/** Returns a command that runs the program in a terminal of `script`. A terminal combines stdout and stderr. */
function inPty(command: readonly string[]): string[] {
  const quoted = command.map((arg) => `'${arg}'`).join(' ');
  return ['script', '--quiet', '--return', '--command', quoted, '/dev/null'];
}
