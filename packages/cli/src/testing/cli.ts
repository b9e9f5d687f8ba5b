import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '@drawbridge/postgres';

const CLI = process.env['DRAWBRIDGE_CLI']!;

/** Runs the built commands on a separate DATA_DIR in the folder `parent`. */
export function cli() {
  const parent = mkdtempSync(join(tmpdir(), 'drawbridge-cli-'));
  const DATA_DIR = join(parent, 'data');
  const running = new Set<ReturnType<typeof spawn>>();

  /** Starts the product and waits for its banner. */
  async function start(env: NodeJS.ProcessEnv = {}) {
    const child = spawn(process.execPath, [CLI, 'start', '--port', '0'], {
      env: { PATH: process.env['PATH'], DATA_DIR, ...env },
    });
    running.add(child);
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    while (!output.includes('Ctrl-C')) await once(child.stdout, 'data');
    const stop = async () => {
      child.kill('SIGTERM');
      const [code] = await once(child, 'exit');
      running.delete(child);
      return code;
    };
    const line = (label: string) => new RegExp(`${label} +(.*)`).exec(output)?.[1] ?? '';
    return { baseUrl: line('Base URL'), firstKey: line('First key'), stop, output: () => output };
  }

  /** Runs a command until it exits. */
  function run(args: string[]): Promise<{ code: number; output: string }> {
    return new Promise((resolve) => {
      const options = { env: { PATH: process.env['PATH'], DATA_DIR } };
      const child = execFile(process.execPath, [CLI, ...args], options, (_error, stdout, stderr) =>
        resolve({ code: child.exitCode ?? -1, output: stdout + stderr }),
      );
    });
  }

  /** Runs one admin command and returns its exit code and the document that it printed. */
  function admin(args: string[], env: NodeJS.ProcessEnv = {}): Promise<{ code: number; document: any }> {
    return new Promise((resolve) => {
      const child = execFile(
        process.execPath,
        [CLI, 'admin', ...args],
        { env: { PATH: process.env['PATH'], DATA_DIR, ...env } },
        (_error, stdout) => resolve({ code: child.exitCode ?? -1, document: JSON.parse(stdout) }),
      );
    });
  }

  async function remove(): Promise<void> {
    for (const child of running) child.kill('SIGKILL');
    await (await startPostgres({ dataDir: DATA_DIR })).discard();
    rmSync(parent, { recursive: true });
  }
  return { parent, DATA_DIR, start, run, admin, remove };
}
