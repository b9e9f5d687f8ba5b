import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Everything that the processes of a product have written so far, one after the other. */
export function readLogs(folder: string): string {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.log'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('');
}
