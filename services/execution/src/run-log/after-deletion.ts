import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '@drawbridge/contracts';

/**
 * Pauses between attempts, which add up to 5 s. Waiting for the lock in the database instead would occupy a connection per run, and all organizations
 * of a process share ten connections.
 */
const PAUSES_MS = [50, 100, 200, 400, 800, 1_600, 1_850];

/** Repeats `write` until it returns true. `write` returns false while the workspace is being deleted. Throws UNAVAILABLE after 5 s. */
export async function afterDeletion(write: () => Promise<boolean>): Promise<void> {
  for (const pauseMs of PAUSES_MS) {
    await sleep(pauseMs);
    if (await write()) return;
  }
  throw new ApiError(
    'UNAVAILABLE',
    'The run cannot be recorded while its workspace is being deleted. Recording is retried',
  );
}
