import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '@drawbridge/contracts';

/**
 * Pauses between attempts, which add up to 5 s. Waiting for the lock in the database instead would occupy a connection per run, and all organizations
 * of a process share ten connections.
 */
const PAUSES_MS = [50, 100, 200, 400, 800, 1_600, 1_850];

/**
 * Repeats `write` after a result that says that the workspace is being deleted, until `isDone` returns true for a result. Throws UNAVAILABLE after 5 s.
 */
export async function afterDeletion<Result>(
  write: () => Promise<Result>,
  isDone: (result: Result) => boolean,
): Promise<Result> {
  for (const pauseMs of PAUSES_MS) {
    await sleep(pauseMs);
    const result = await write();
    if (isDone(result)) return result;
  }
  throw new ApiError('UNAVAILABLE', 'The run cannot be stored while its workspace is being deleted. Try again later');
}
