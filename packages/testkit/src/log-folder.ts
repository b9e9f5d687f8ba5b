import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the concatenated output of all processes of a product. */
export function readLogs(folder: string): string {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.log'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('');
}
