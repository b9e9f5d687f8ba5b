import { ApiError, type Plans } from '@drawbridge/contracts';
import { type KeyVerificationServiceDefinition, Permissions } from '@drawbridge/proto/drawbridge/members/v1/api_keys';
import { type Background, type Implementation } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { permissionsOfKey } from './permissions-of-key.js';
import { limitsOf } from './plans.js';

const FLUSH_MS = 5_000;

/** SQL: a key's last use is written once an hour at most. */
const USED_EARLIER = "(last_used_at IS NULL OR last_used_at < now() - interval '1 hour')";

/** A key is as good as the membership of its user: one that was made while they were removed opens nothing either. */
const FIND_VALID_KEY = `
  SELECT k.id, k.org_id, k.user_id, k.permissions, m.role, o.plan, ${USED_EARLIER} AS used_earlier
  FROM members.api_keys k JOIN members.organizations o ON o.id = k.org_id
  JOIN members.members m ON m.org_id = k.org_id AND m.user_id = k.user_id
  WHERE k.key_hash = $1 AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())`;

interface ValidKey {
  id: string;
  org_id: string;
  user_id: string;
  permissions: Partial<Permissions> | null;
  role: string;
  plan: string;
  used_earlier: boolean;
}

interface Needs {
  pool: Pool;
  plans: Plans;
  /** Of the one key that an operator may have chosen. */
  firstKeyHash: string | undefined;
  onUse(keyId: string): void;
}

export const keyVerification = ({
  pool,
  plans,
  firstKeyHash,
  onUse,
}: Needs): Implementation<KeyVerificationServiceDefinition> => ({
  async verifyKey({ keyHash, lacksChecksum }) {
    if (lacksChecksum && keyHash !== firstKeyHash) throw noSuchKey();
    const { rows } = await pool.query<ValidKey>({ name: 'find-valid-key', text: FIND_VALID_KEY, values: [keyHash] });
    const [key] = rows;
    if (!key) throw noSuchKey();
    if (key.used_earlier) onUse(key.id);
    return {
      orgId: key.org_id,
      keyId: key.id,
      sessionId: '',
      userId: key.user_id,
      // Of a row that lacks them, none: the gateway lets such a key do nothing.
      permissions: permissionsOfKey(Permissions.fromPartial(key.permissions ?? {}), key.role),
      requestsPerMinute: limitsOf(plans, key.plan).requestsPerMinute ?? undefined,
    };
  },
});

/** With a reason: a gateway that members itself refuses must not take that for its caller's fault. */
function noSuchKey(): ApiError {
  const details = { reason: 'no_such_key' };
  return new ApiError('UNAUTHENTICATED', 'The API key is unknown, revoked or expired', { details });
}

/** Writes lastUsedAt of the keys used since the last time, in one statement; another replica may have. */
export function lastUsed(pool: Pool): Background & { note(keyId: string): void } {
  let used = new Set<string>();
  let timer: NodeJS.Timeout;
  const flush = async (): Promise<void> => {
    if (used.size === 0) return;
    const ids = [...used];
    used = new Set();
    await pool
      .query(`UPDATE members.api_keys SET last_used_at = now() WHERE id = ANY($1::uuid[]) AND ${USED_EARLIER}`, [ids])
      .catch(() => undefined);
  };
  return {
    note: (keyId) => void used.add(keyId),
    start: async () => void (timer = setInterval(flush, FLUSH_MS)),
    stop: async () => {
      clearInterval(timer);
      await flush();
    },
  };
}
