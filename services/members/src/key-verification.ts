import { ApiError } from '@drawbridge/contracts';
import { denialEvent, eventValues, insertEvent, inTransaction, PutAside, repeat } from '@drawbridge/events';
import { type KeyVerificationServiceDefinition, Permissions } from '@drawbridge/proto/drawbridge/members/v1/api_keys';
import {
  type Background,
  currentContext,
  type DeniedCall,
  describeError,
  type Implementation,
  memoize,
} from '@drawbridge/rpc';
import { permissionsOfKey } from './permissions.js';
import { limitsOf } from './plans.js';
import { type Parts } from './parts.js';

const FLUSH_MS = 5_000;

/** SQL condition under which the last use of a key is written. It is written at most once an hour, because keys are used in every request. */
const USED_EARLIER = "(last_used_at IS NULL OR last_used_at < now() - interval '1 hour')";

const NOTE_USE = `UPDATE members.api_keys SET last_used_at = now() WHERE id = ANY($1::uuid[]) AND ${USED_EARLIER}`;

/**
 * Finds a key with the membership of its user. A key is valid only while its user is a member. This also invalidates a key that was created while its
 * user was being removed.
 */
const FIND_KEY = `
  SELECT k.id, k.org_id, k.user_id, k.permissions, m.role, o.plan, o.plan_version, ${USED_EARLIER} AS used_earlier,
    CASE WHEN k.revoked_at IS NOT NULL THEN 'revoked' WHEN k.expires_at <= now() THEN 'expired'
      WHEN m.id IS NULL THEN 'of a former member of the organization' END AS ended
  FROM members.api_keys k JOIN members.organizations o ON o.id = k.org_id
  LEFT JOIN members.members m ON m.org_id = k.org_id AND m.user_id = k.user_id
  WHERE k.key_hash = $1`;

interface FoundKey {
  id: string;
  org_id: string;
  user_id: string;
  permissions: Partial<Permissions> | null;
  role: string | null;
  plan: string;
  plan_version: number;
  used_earlier: boolean;
  /** The reason why the key is invalid. */
  ended: string | null;
}

/**
 * Verifies API keys. `firstKeyHash` is the hash of the only key that may lack a checksum, because the operator may have chosen it. `onUse` is called
 * for a key that was not used for an hour.
 */
export function keyVerification(
  parts: Parts,
  firstKeyHash: string | undefined,
  onUse: (keyId: string) => void,
): Implementation<KeyVerificationServiceDefinition> {
  const { pool, plans } = parts;
  const onRefused = refusedKeys(parts);
  return {
    async verifyKey({ keyHash, lacksChecksum }) {
      if (lacksChecksum && keyHash !== firstKeyHash) throw noSuchKey();
      const { rows } = await pool.query<FoundKey>({ name: 'find-key', text: FIND_KEY, values: [keyHash] });
      const [key] = rows;
      if (!key) throw noSuchKey();
      const { id, org_id: orgId, user_id: userId, role, ended } = key;
      if (ended) await onRefused({ id, orgId, userId, why: ended });
      if (ended || role === null) throw noSuchKey();
      if (key.used_earlier) onUse(id);
      return {
        orgId,
        keyId: id,
        sessionId: '',
        userId,
        // A row without permissions grants nothing, so the gateway denies every request with the key.
        permissions: permissionsOfKey(Permissions.fromPartial(key.permissions ?? {}), role),
        requestsPerMinute: limitsOf(plans, key.plan).requestsPerMinute ?? undefined,
        planVersion: key.plan_version,
      };
    },
  };
}

/**
 * Returns the error for an invalid key. The reason in the details tells the gateway that the key of its client is invalid. Without the reason, the
 * gateway could not distinguish this error from a rejection of its own RPC.
 */
function noSuchKey(): ApiError {
  const details = { reason: 'no_such_key' };
  return new ApiError('UNAUTHENTICATED', 'The API key is unknown, revoked or expired', { details });
}

/** Writes `last_used_at` of the keys that were used since the last flush, in one statement. Skips rows that another process wrote in the meantime. */
export function lastUsed({ pool, log }: Parts): Background & { note(keyId: string): void } {
  let used = new Set<string>();
  const flush = async (aside: PutAside): Promise<void> => {
    if (used.size === 0) return;
    const ids = [...used];
    used = new Set();
    await inTransaction(pool, (tx) =>
      aside.byHalves(tx, ids, {
        keyOf: (id) => id,
        work: (some) => tx.query(NOTE_USE, [some]),
      }),
    );
  };
  const flushing = repeat({ name: 'noting used keys', everyMs: FLUSH_MS, log }, (_stopping, aside) => flush(aside));
  return {
    ...flushing,
    note: (keyId) => void used.add(keyId),
    stop: async (deadline) => {
      await flushing.stop(deadline);
      await flush(new PutAside({ name: 'noting used keys', log })).catch(() => undefined);
    },
  };
}

/**
 * Minimum interval, in milliseconds, between two audit log entries of one key, so that a client that repeats requests with an invalid key does not
 * fill the disk.
 */
const ONCE_IN_MS = 60_000;
const INSERT = insertEvent('members', { first: 1 });

/** A key that exists but is no longer valid. */
interface RefusedKey {
  id: string;
  orgId: string;
  userId: string;
  /** The reason, such as `revoked`. */
  why: string;
}

/** Records calls with an invalid key in the audit log, for each key and reason at most once a minute. Never rejects. */
function refusedKeys({ pool, log }: Parts): (key: RefusedKey) => Promise<void> {
  const writeOnce = memoize({ ttlMs: ONCE_IN_MS }, async (_which: string, denied: DeniedCall) => {
    await pool.query(INSERT, eventValues(denialEvent(denied)));
    return true; // A value is returned, because memoize does not cache undefined.
  });
  return async ({ id, orgId, userId, why }) => {
    const { requestId = '', address } = currentContext() ?? {};
    const caller = { orgId, userId, keyId: id, permissions: { scope: '' }, source: 'rest' as const };
    const reason = `UNAUTHENTICATED: The API key is ${why}`;
    await writeOnce(`${id} ${why}`, { caller, action: 'api_key.use', id, requestId, address, reason }).catch(
      (error: unknown) => log.warn({ error: describeError(error) }, 'could not record a refused key'),
    );
  };
}
