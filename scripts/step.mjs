import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/** Jest needs an experimental feature to run ES modules. The second option suppresses the warning that Node.js prints about it in each worker. */
export const JEST_OPTIONS = '--experimental-vm-modules --disable-warning=ExperimentalWarning';

/** Prints the progress of `work` to standard error on one line: its title, a dot every two seconds, and its duration. */
export async function step(title, work) {
  const start = Date.now();
  const say = (text) => process.stderr.write(text);
  say(`${title} `);
  const alive = setInterval(() => say('.'), 2_000);
  try {
    const result = await work();
    say(` done, ${seconds(start)}\n`);
    return result;
  } catch (error) {
    say(` failed, ${seconds(start)}\n`);
    throw error;
  } finally {
    clearInterval(alive);
  }
}

export const seconds = (start) => `${((Date.now() - start) / 1000).toFixed(1)} s`;

/**
 * Runs a command in the root of the clone. Returns its output. Throws an error with the output if the command fails. The command has a separate
 * process group, which is terminated together with this process, so that a signal leaves no child process running.
 */
export async function run(command, args, env = {}) {
  const child = start(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = [];
  child.stdout.on('data', (chunk) => output.push(chunk));
  child.stderr.on('data', (chunk) => output.push(chunk));
  const code = await ended(child);
  const text = Buffer.concat(output).toString();
  if (code !== 0) throw new Error(`${text}\n${command} ${args.join(' ')} exited with ${code}`);
  return text;
}

/** Runs a command with its output on this terminal. Returns its exit code. */
export function runVisibly(command, args, env = {}) {
  return ended(start(command, args, { env, stdio: ['ignore', 'inherit', 'inherit'] }));
}

/** Starts a command as the leader of a new process group. */
export function start(command, args, { env, stdio }) {
  const environment = { ...process.env, ...env };
  const child = spawn(command, args, { cwd: ROOT, env: environment, stdio, detached: true });
  if (running.size === 0) for (const signal of Object.keys(ENDINGS)) process.on(signal, endAll);
  running.add(child);
  child.once('close', () => {
    running.delete(child);
    if (running.size === 0) for (const signal of Object.keys(ENDINGS)) process.off(signal, endAll);
  });
  return child;
}

const ENDINGS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };
const running = new Set();

function endAll(signal) {
  for (const { pid } of running) {
    try {
      process.kill(-pid, 'SIGTERM');
    } catch {
      // The process has already exited.
    }
  }
  process.exit(ENDINGS[signal]);
}

function ended(child) {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(code ?? signal));
  });
}
