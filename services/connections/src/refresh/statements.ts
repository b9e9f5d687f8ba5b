import { insertEvent } from '@drawbridge/events';
import { KEEP_GRANT } from '../oauth/keep-grant.js';
import { CREDENTIAL_VERSION } from '../refuse-connection.js';

/** Who refreshes has the connection for so long: longer than a provider may take to answer, and then to store it. */
const TURN = "interval '45 seconds'";
/** Who uses a token that ends within this has it refreshed: where it lives for less than twice that, within half of its life. */
const EARLY = "interval '60 seconds'";
/** A connection that nobody uses is refreshed about once a day: refresh tokens end, too, when they are not used. */
const IDLE = "interval '1 day'";

/** What nobody uses is not asked for as often as what somebody waits for. */
const UNUSED_AGAIN = "interval '1 hour'";

/** SQL: whether the access token has ended, and whether it does soon enough to be refreshed: where that failed, not yet. */
export const HAS_ENDED = 'coalesce(refresh_at IS NOT NULL AND expires_at <= now(), false)';
export const IS_DUE = `coalesce(refresh_at IS NOT NULL AND expires_at IS NOT NULL AND greatest(due_at, expires_at - ${EARLY}) <= now()
  AND (expires_at <= now() OR retry_at IS NULL OR retry_at <= now()), false)`;

/** SQL of a new access token: when it ends, from when on its use refreshes it, and when it is refreshed although nobody uses it. `seconds`: for which it is good, or NULL. */
const endsIn = (seconds: string): string => `now() + ${seconds} * interval '1 second'`;
const dueIn = (seconds: string): string => `${endsIn(seconds)} - least(${EARLY}, ${seconds} * interval '0.5 seconds')`;
const idleFrom = (seconds: string): string => `greatest(${endsIn(seconds)} - ${EARLY}, now() + ${IDLE})`;

/** Of a credential that was stored just now: how long it is good, in seconds, and that it can be refreshed. */
export const SET_LIFETIME = `
  UPDATE connections.connections SET expires_at = ${endsIn('$3::int')}, due_at = ${dueIn('$3::int')},
    refresh_at = CASE WHEN $4 THEN ${idleFrom('$3::int')} END
  WHERE id = $1 AND org_id = $2`;

const THIS = `id = $1 AND org_id = $2`;
const UNCHANGED = `${THIS} AND status = 'ACTIVE' AND ${CREDENTIAL_VERSION} = $3`;

/** Takes the turn, in a commit of its own before the provider is asked. One row for who has it. */
export const TAKE_TURN = `
  UPDATE connections.connections SET refresh_until = now() + ${TURN}, refresh_turn = refresh_turn + 1
  FROM (SELECT refresh_until AS before FROM connections.connections WHERE ${UNCHANGED} FOR UPDATE) AS held
  WHERE ${THIS} AND ${CREDENTIAL_VERSION} = $3
    AND (refresh_until IS NULL OR refresh_until < now()) AND (retry_at IS NULL OR retry_at <= now())
  RETURNING refresh_turn AS turn, held.before IS NOT NULL AS "wasInterrupted", integration_name AS "integrationName",
    oauth_app_id AS "oauthAppId", display_name AS "displayName", workspace_id AS "workspaceId",
    sealed, wrapped_key AS "wrappedKey", master_key_id AS "masterKeyId"`;

/** Whether it is still this one's turn, and this credential. */
export const HOLDS_TURN = `SELECT FROM connections.connections WHERE ${UNCHANGED} AND refresh_turn = $4`;

/** Why there was no turn to take. */
export const LOOK = `
  SELECT status, ${CREDENTIAL_VERSION} AS version, coalesce(refresh_until > now(), false) AS "isRefreshing",
    ceil(extract(epoch FROM retry_at - now()))::int AS "retryAfter"
  FROM connections.connections WHERE ${THIS}`;

/**
 * What the provider granted, unless there is another credential by now. Not by the turn: an answer that came after its turn is as
 * good, and the only one there is. So also where the credential of before was refused meanwhile, most likely because this one took its
 * place at the provider: the connection is ACTIVE again, and the audit log says so.
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

/** Keeps what was granted for a connection that is gone, to be given back in place of the tokens of before. */
export const GIVE_BACK = `${KEEP_GRANT}
  WHERE NOT EXISTS (SELECT FROM connections.connections WHERE ${THIS})
  ON CONFLICT (id) DO UPDATE SET sealed = excluded.sealed, wrapped_key = excluded.wrapped_key,
    master_key_id = excluded.master_key_id, due_at = now()`;

/** The refresh failed, and may succeed later: not before that. One that was stored meanwhile has nothing to do with it. */
export const PUT_OFF = `
  UPDATE connections.connections SET refresh_until = NULL, refresh_failures = refresh_failures + 1,
    retry_at = now() + ${backoff()}, refresh_at = greatest(refresh_at, now() + ${UNUSED_AGAIN})
  WHERE ${THIS} AND ${CREDENTIAL_VERSION} = $3 AND refresh_turn = $4`;

/** Those of an integration that nobody uses, by their time. */
export const FIND_IDLE = `
  SELECT id AS "connectionId", org_id AS "orgId", ${CREDENTIAL_VERSION} AS version FROM connections.connections
  WHERE integration_name = $1 AND refresh_at <= now() AND status = 'ACTIVE' AND suspended_at IS NULL
    AND (refresh_until IS NULL OR refresh_until < now()) AND id <> ALL ($3::uuid[])
  ORDER BY refresh_at LIMIT $2`;

/** 2, 4, 8 … seconds, five minutes at most, and a bit more or less: who was refused together does not ask again together. */
function backoff(): string {
  return "least(300, 2 ^ least(refresh_failures + 1, 10)) * (0.9 + random() * 0.2) * interval '1 second'";
}
