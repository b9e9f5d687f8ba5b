import { inTransaction } from '@drawbridge/events';
import { StateError } from '@drawbridge/piece-kit';
import { isOutage } from '@drawbridge/rpc';
import { type Pool, type PoolClient } from 'pg';

/** Runs the work in one transaction. Throws StateError if the connection breaks: before the commit nothing has changed. */
export async function changeState<T>(pool: Pool, work: (tx: PoolClient) => Promise<T>): Promise<T> {
  let commits = false;
  const change = async (tx: PoolClient): Promise<T> => {
    const changed = await work(tx);
    commits = true;
    return changed;
  };
  return inTransaction(pool, change).catch((error: unknown) => {
    if (commits && isOutage(error))
      throw new StateError('OUTCOME_UNKNOWN', 'It is not known whether it is kept', { cause: error });
    return unavailable(error);
  });
}

export function unavailable(error: unknown): never {
  if (!isOutage(error)) throw error;
  throw new StateError('UNAVAILABLE', 'What is kept can not be reached at the moment', { cause: error });
}
