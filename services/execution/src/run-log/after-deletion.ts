import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '@drawbridge/contracts';

/** 5 s in all. A statement that waits for the lock would occupy a connection for each run, and the organizations of a process share ten. */
const PAUSES_MS = [50, 100, 200, 400, 800, 1_600, 1_850];

/** Repeats `write`, which returned false because the workspace is being deleted, until it returns true. Throws UNAVAILABLE if that takes too long. */
export async function afterDeletion(write: () => Promise<boolean>): Promise<void> {
  for (const pauseMs of PAUSES_MS) {
    await sleep(pauseMs);
    if (await write()) return;
  }
  throw new ApiError('UNAVAILABLE', 'The workspace is being deleted');
}
