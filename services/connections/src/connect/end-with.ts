import { ApiError } from '@drawbridge/contracts';
import { keepTrying, nothingToRecord } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { fail, letGo, LostTurn, type Turn } from './end-session.js';
import { type FoundSession } from './find-session.js';
import { giveBack } from './give-back.js';
import { type Granted, storeConnection, type StoreNeeds } from './store-connection.js';

/** Storing a grant is retried for this long, because the provider issues it once. It is well within the time of the lock. */
const TRY_MS = 30_000;
const AGAIN_MS = 500;

/**
 * Ends the session as COMPLETED, or as FAILED if its connection may not be stored because the quota is used up or the workspace is deleted. The grant
 * is then revoked, also if the session was deleted meanwhile. Throws on an internal error; the session can be tried again then.
 */
export async function endWith(
  session: FoundSession,
  held: Turn,
  granted: Granted,
  needs: StoreNeeds & { pool: Pool },
): Promise<void> {
  const until = performance.now() + TRY_MS;
  try {
    const refusal = await tried(until, () => storeUnlessRefused(session, held, granted, needs));
    if (!refusal) return;
    await tried(until, () => giveBack(session, held, granted, needs));
    await tried(until, () => fail(needs.pool, held, refusal.message));
  } catch (error) {
    await letGo(needs.pool, held);
    throw error;
  }
}

/** Returns why the connection may not be stored; a retry would not help. */
async function storeUnlessRefused(...asked: Parameters<typeof storeConnection>): Promise<Error | undefined> {
  try {
    await storeConnection(...asked);
    return undefined;
  } catch (error) {
    nothingToRecord();
    if (error instanceof LostTurn || (error instanceof ApiError && error.status < 500)) return error;
    throw error;
  }
}

/** Repeating is safe: work that was committed although its answer was lost is not done twice, or does no harm. */
const tried = <T>(until: number, work: () => Promise<T>): Promise<T> => keepTrying({ until, pauseMs: AGAIN_MS }, work);
