import { denialEvent, eventValues, insertEvent, type Log } from '@drawbridge/events';
import { currentContext, type DeniedCall, describeError, memoize } from '@drawbridge/rpc';
import { type Pool } from 'pg';

/** Who goes on with such a key must not fill the disk. */
const ONCE_IN_MS = 60_000;
const INSERT = insertEvent('members', { first: 1 });

/** One that was an organization's, and opens nothing any more. */
export interface RefusedKey {
  id: string;
  orgId: string;
  userId: string;
  /** `revoked`. */
  why: string;
}

/** Tells the audit log who calls with such a key: of each key and reason once a minute. Never rejects. */
export function refusedKeys({ pool, log }: { pool: Pool; log: Log }): (key: RefusedKey) => Promise<void> {
  const writeOnce = memoize({ ttlMs: ONCE_IN_MS }, async (_which: string, denied: DeniedCall) => {
    await pool.query(INSERT, eventValues(denialEvent(denied)));
    return true; // nothing is not remembered
  });
  return async ({ id, orgId, userId, why }) => {
    const { requestId = '', address } = currentContext() ?? {};
    const caller = { orgId, userId, keyId: id, permissions: { scope: '' }, source: 'rest' as const };
    const reason = `UNAUTHENTICATED: The API key is ${why}`;
    await writeOnce(`${id} ${why}`, { caller, action: 'api_key.use', id, requestId, address, reason }).catch(
      (error: unknown) => log.warn({ error: describeError(error) }, 'a refused key could not be recorded'),
    );
  };
}
