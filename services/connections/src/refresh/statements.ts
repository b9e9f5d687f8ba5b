import { insertEvent } from '@drawbridge/events';
import { CREDENTIAL_VERSION } from '../change-credential.js';
import { type Transaction } from '../database.js';
import { KEEP_GRANT } from '../oauth/revocations.js';

/** Duration of the refresh lock. Must be longer than the provider may take to respond plus the time to store the response. */
const TURN = "interval '45 seconds'";
/**
 * Time before the expiry of a token at which an execution starts to refresh it. A token with less than twice this lifetime is refreshed in the second
 * half of its lifetime.
 */
const EARLY = "interval '60 seconds'";
/** Interval at which an unused connection is refreshed, because unused refresh tokens also expire. */
const IDLE = "interval '1 day'";

/**
 * Delay before a failed refresh of an unused connection is repeated. It is longer than the back-off for used connections, because no caller waits.
 */
const UNUSED_AGAIN = "interval '1 hour'";

/**
 * SQL conditions: whether the access token has expired, and whether an execution should refresh it. A refresh is due shortly before the expiry, but
 * not during the back-off of a failed refresh while the token is still valid.
 */
export const HAS_ENDED = 'coalesce(refresh_at IS NOT NULL AND expires_at <= now(), false)';
export const IS_DUE = `coalesce(refresh_at IS NOT NULL AND expires_at IS NOT NULL AND greatest(due_at, expires_at - ${EARLY}) <= now()
  AND (expires_at <= now() OR retry_at IS NULL OR retry_at <= now()), false)`;

/**
 * SQL expressions of a new access token: when it expires, when a use starts to refresh it, and when it is refreshed without a use. `seconds` is its
 * lifetime or NULL.
 */
const endsIn = (seconds: string): string => `now() + ${seconds} * interval '1 second'`;
const dueIn = (seconds: string): string => `${endsIn(seconds)} - least(${EARLY}, ${seconds} * interval '0.5 seconds')`;
const idleFrom = (seconds: string): string => `greatest(${endsIn(seconds)} - ${EARLY}, now() + ${IDLE})`;

/** Sets the lifetime of a new credential in seconds, and whether it can be refreshed. */
const SET_LIFETIME = `
  UPDATE connections.connections SET expires_at = ${endsIn('$3::int')}, due_at = ${dueIn('$3::int')},
    refresh_at = CASE WHEN $4 THEN ${idleFrom('$3::int')} END
  WHERE id = $1 AND org_id = $2`;

const THIS = `id = $1 AND org_id = $2`;
const UNCHANGED = `${THIS} AND status = 'ACTIVE' AND ${CREDENTIAL_VERSION} = $3`;

/**
 * Takes the refresh lock in a separate transaction before the provider is called, so that other processes see it. Returns one row if the lock was
 * free.
 */
export const TAKE_TURN = `
  UPDATE connections.connections SET refresh_until = now() + ${TURN}, refresh_turn = refresh_turn + 1
  FROM (SELECT refresh_until AS before FROM connections.connections WHERE ${UNCHANGED} FOR UPDATE) AS held
  WHERE ${THIS} AND ${CREDENTIAL_VERSION} = $3
    AND (refresh_until IS NULL OR refresh_until < now()) AND (retry_at IS NULL OR retry_at <= now())
  RETURNING refresh_turn AS turn, held.before IS NOT NULL AS "wasInterrupted", integration_name AS "integrationName",
    oauth_app_id AS "oauthAppId", display_name AS "displayName", workspace_id AS "workspaceId",
    sealed, wrapped_key AS "wrappedKey", master_key_id AS "masterKeyId"`;

/** Returns a row if this process still holds the lock and the credential is unchanged. */
export const HOLDS_TURN = `SELECT FROM connections.connections WHERE ${UNCHANGED} AND refresh_turn = $4`;

/** Reads the state that explains why the lock could not be taken. */
export const LOOK = `
  SELECT status, ${CREDENTIAL_VERSION} AS version, coalesce(refresh_until > now(), false) AS "isRefreshing",
    ceil(extract(epoch FROM retry_at - now()))::int AS "retryAfter"
  FROM connections.connections WHERE ${THIS}`;

/**
 * Stores a new grant unless the credential has changed. Does not check the lock, because a response that arrives after the lock expired is still
 * valid, and is the only valid grant. If the provider rejected the old credential in the meantime, probably because it had replaced it with this
 * grant, the connection becomes ACTIVE again, with an entry in the audit log.
 */
export const STORE = `
  WITH stored AS (
    UPDATE connections.connections SET sealed = $4, wrapped_key = $5, master_key_id = $6, expires_at = ${endsIn('$7::int')},
      due_at = ${dueIn('$7::int')}, refresh_at = ${idleFrom('$7::int')}, refresh_until = NULL, refresh_failures = 0, retry_at = NULL,
      status = 'ACTIVE', error = NULL, updated_at = CASE WHEN held.before = 'ACTIVE' THEN updated_at ELSE now() END
    FROM (SELECT status AS before FROM connections.connections WHERE ${THIS} AND ${CREDENTIAL_VERSION} = $3 FOR UPDATE) AS held
    WHERE ${THIS} AND ${CREDENTIAL_VERSION} = $3
    RETURNING held.before),
  told AS (${insertEvent('connections', { first: 8, from: "stored WHERE before <> 'ACTIVE'" })})
  SELECT FROM stored`;

/** Stores the new grant of a deleted connection for revocation, in place of its previous tokens. */
export const GIVE_BACK = `${KEEP_GRANT}
  WHERE NOT EXISTS (SELECT FROM connections.connections WHERE ${THIS})
  ON CONFLICT (id) DO UPDATE SET sealed = excluded.sealed, wrapped_key = excluded.wrapped_key,
    master_key_id = excluded.master_key_id, due_at = now()`;

/** Records a failed refresh and the earliest time of the next attempt. Does not change a credential that was stored in the meantime. */
export const PUT_OFF = `
  UPDATE connections.connections SET refresh_until = NULL, refresh_failures = refresh_failures + 1,
    retry_at = now() + ${backoff()}, refresh_at = greatest(refresh_at, now() + ${UNUSED_AGAIN})
  WHERE ${THIS} AND ${CREDENTIAL_VERSION} = $3 AND refresh_turn = $4`;

/** Returns the unused connections of an integration, sorted by the time at which they are due. */
export const FIND_IDLE = `
  SELECT id AS "connectionId", org_id AS "orgId", ${CREDENTIAL_VERSION} AS version FROM connections.connections
  WHERE integration_name = $1 AND refresh_at <= now() AND status = 'ACTIVE' AND suspended_at IS NULL
    AND (refresh_until IS NULL OR refresh_until < now()) AND id <> ALL ($3::uuid[])
  ORDER BY refresh_at LIMIT $2`;

/** Counts the unused connections of these integrations that are due. */
export const COUNT_IDLE = `
  SELECT count(*)::int AS many, extract(epoch FROM clock_timestamp() - min(refresh_at))::float8 AS late
  FROM (SELECT refresh_at FROM connections.connections
    WHERE integration_name = ANY ($1) AND refresh_at <= now() AND status = 'ACTIVE' AND suspended_at IS NULL LIMIT 100000) AS counted`;

/**
 * Returns the SQL interval of the back-off: 2, 4, 8 … seconds, at most five minutes, ±10 %. The random part prevents connections that failed together
 * from being retried together.
 */
function backoff(): string {
  return "least(300, 2 ^ least(refresh_failures + 1, 10)) * (0.9 + random() * 0.2) * interval '1 second'";
}

/** Sets the expiry of a credential that was just stored, with the clock of the database, and whether it can be refreshed. */
export async function setLifetime(
  tx: Transaction,
  { id, orgId }: { id: string; orgId: string },
  { expiresIn, isRenewable = false }: { expiresIn?: number; isRenewable?: boolean },
): Promise<void> {
  if (expiresIn === undefined && !isRenewable) return;
  await tx.$executeRawUnsafe(SET_LIFETIME, id, orgId, expiresIn ?? null, isRenewable);
}
