import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startPostgres } from '@drawbridge/postgres';

/** Where the database of a DATA_DIR runs, or ran last: what the product itself wrote down there. */
export function embeddedRuntime(dataDir: string): { url: string; pid: number } {
  return JSON.parse(readFileSync(join(dataDir, 'runtime.json'), 'utf8')) as { url: string; pid: number };
}

/** Deletes its files, which as root are elsewhere. A start before that ends the server that a killed product left behind. */
export async function discardEmbedded(dataDir: string): Promise<void> {
  const server = await startPostgres({ dataDir });
  await server.discard();
}
