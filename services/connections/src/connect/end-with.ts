import { ApiError } from '@drawbridge/contracts';
import { nothingToRecord } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { fail, letGo, LostTurn, type Turn } from './end-session.js';
import { type FoundSession } from './find-session.js';
import { type Granted, storeConnection, type StoreNeeds } from './store-connection.js';

/**
 * COMPLETED, or FAILED where no connection may be stored: the quota is used up, the workspace is gone. Throws what is nobody's
 * fault; the session can be tried again then.
 */
export async function endWith(
  session: FoundSession,
  held: Turn,
  granted: Granted,
  needs: StoreNeeds & { pool: Pool },
): Promise<void> {
  try {
    await storeConnection(session, held, granted, needs);
  } catch (error) {
    nothingToRecord();
    if (error instanceof LostTurn) return;
    if (error instanceof ApiError && error.status < 500) return fail(needs.pool, held, error.message);
    await letGo(needs.pool, held);
    throw error;
  }
}
