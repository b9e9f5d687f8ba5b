import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '@drawbridge/contracts';

/**
 * Pauses between attempts, which add up to 5 s. Waiting for the lock in the database instead would occupy a connection per run, and all organizations
 * of a process share ten connections.
 */
const PAUSES_MS = [50, 100, 200, 400, 800, 1_600, 1_850];

/**
 * Repeats `write` until `isDone` returns true for its result. `isDone` returns false for a result that says that the workspace is being deleted.
 * Throws UNAVAILABLE after 5 s.
 */
export async function whenNotInDeletion<Result>(
  write: () => Promise<Result>,
  isDone: (result: Result) => boolean,
): Promise<Result> {
  for (const pauseMs of PAUSES_MS) {
    const result = await write();
    if (isDone(result)) return result;
    await sleep(pauseMs);
  }
  const last = await write();
  if (isDone(last)) return last;
  throw new ApiError('UNAVAILABLE', 'The run cannot be stored while its workspace is being deleted. Try again later');
}
