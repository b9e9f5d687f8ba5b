import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

export const ROOT = join(import.meta.dirname, '../../..');

const LIMIT_MS = 240_000;

/** Runs a command of an operator. Returns its output; throws an error with the output if it fails, or does not end in 4 minutes. */
export async function command(
  line: string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<string> {
  const [file = '', ...args] = line;
  const { stdout } = await promisify(execFile)(file, args, {
    cwd: ROOT,
    maxBuffer: 64 * 1024 * 1024,
    timeout: LIMIT_MS,
    ...options,
  });
  return stdout;
}
