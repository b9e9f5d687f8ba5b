import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/** Says on standard error what is being done, that it is still going on, and how long it took: one line. */
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
 * Runs a command in the root of the clone and keeps its output, which a failure then carries. It has a process group of
 * its own that ends together with this process, so that a signal leaves no half of it running.
 */
export async function run(command, args, env = {}) {
  const child = start(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = [];
  child.stdout.on('data', (chunk) => output.push(chunk));
  child.stderr.on('data', (chunk) => output.push(chunk));
  const code = await ended(child);
  const text = Buffer.concat(output).toString();
  if (code !== 0) throw new Error(`${text}\n${command} ${args.join(' ')} ended with ${code}`);
  return text;
}

/** The same with its output on this terminal; answers the exit code. */
export function runVisibly(command, args, env = {}) {
  return ended(start(command, args, { env, stdio: ['ignore', 'inherit', 'inherit'] }));
}

export function start(command, args, { env, stdio }) {
  const child = spawn(command, args, {
    cwd: ROOT,
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1', ...env },
    stdio,
    detached: true,
  });
  const endings = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };
  const stop = (signal) => {
    signalGroup(child, 'SIGTERM');
    process.exit(endings[signal]);
  };
  for (const signal of Object.keys(endings)) process.once(signal, stop);
  child.once('close', () => {
    for (const signal of Object.keys(endings)) process.off(signal, stop);
  });
  return child;
}

function signalGroup(child, signal) {
  try {
    process.kill(-child.pid, signal);
  } catch {
    // It has ended.
  }
}

function ended(child) {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(code ?? signal));
  });
}
