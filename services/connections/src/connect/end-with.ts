import { ApiError } from '@drawbridge/contracts';
import { keepTrying, nothingToRecord } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { fail, letGo, LostTurn, type Turn } from './end-session.js';
import { type FoundSession } from './find-session.js';
import { giveBack } from './give-back.js';
import { type Granted, storeConnection, type StoreNeeds } from './store-connection.js';

/** For so long it is tried, with what a provider granted in hand: it grants it once. Well within the turn. */
const TRY_MS = 30_000;
const AGAIN_MS = 500;

/**
 * COMPLETED, or FAILED where no connection may be stored: the quota is used up, the workspace is gone. Then, and where the session is
 * gone meanwhile, what was granted is given back. Throws what is nobody's fault; the session can be tried again then.
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

/** Answers why it may not be stored, whoever tries. */
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

/** May be repeated: what was done although the database's answer was lost is not done again, or does no harm. */
const tried = <T>(until: number, work: () => Promise<T>): Promise<T> => keepTrying({ until, pauseMs: AGAIN_MS }, work);
