import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startPostgres } from '@drawbridge/postgres';

/** Returns where the database of a DATA_DIR runs, or last ran, from the product's own record. */
export function embeddedRuntime(dataDir: string): { url: string; pid: number } {
  return JSON.parse(readFileSync(join(dataDir, 'runtime.json'), 'utf8')) as { url: string; pid: number };
}

/** Deletes the embedded database, which for root is outside of the DATA_DIR. The start stops a server that a killed product left behind. */
export async function discardEmbedded(dataDir: string): Promise<void> {
  const server = await startPostgres({ dataDir });
  await server.discard();
}
