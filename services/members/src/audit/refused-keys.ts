import { denialEvent, eventValues, insertEvent, type Log } from '@drawbridge/events';
import { currentContext, type DeniedCall, describeError, memoize } from '@drawbridge/rpc';
import { type Pool } from 'pg';

/** A client that keeps using such a key must not fill the disk. */
const ONCE_IN_MS = 60_000;
const INSERT = insertEvent('members', { first: 1 });

/** A key of an organization that is no longer valid. */
export interface RefusedKey {
  id: string;
  orgId: string;
  userId: string;
  /** `revoked`. */
  why: string;
}

/** Records calls with an invalid key in the audit log, for each key and reason at most once a minute. Never rejects. */
export function refusedKeys({ pool, log }: { pool: Pool; log: Log }): (key: RefusedKey) => Promise<void> {
  const writeOnce = memoize({ ttlMs: ONCE_IN_MS }, async (_which: string, denied: DeniedCall) => {
    await pool.query(INSERT, eventValues(denialEvent(denied)));
    return true; // memoize does not cache undefined
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
