import { ApiError, CONNECT_TOKEN, hashToken, newId, newToken } from '@drawbridge/contracts';
import { type Pool } from 'pg';
import { type Transaction } from '../database.js';
import { type ConnectSession } from '../gen/prisma/client.js';

/** The time after which the lock of a process that exited expires. Must be longer than all requests to a provider may take together. */
const HELD = "interval '2 minutes'";
const THIS = 'org_id = $1 AND id = $2';
export const OPEN = `(status = 'PENDING' OR (status = 'CONNECTING' AND updated_at < now() - ${HELD}))`;
/** The status in API responses. A session with an expired lock is PENDING, because the user can try again. */
export const STATUS = `CASE WHEN ${OPEN} THEN 'PENDING' ELSE status END`;

/** The columns of a session that its page and its creator may read. Excludes hashes, nonces and the state of the lock. */
export type FoundSession = Omit<
  ConnectSession,
  'tokenHash' | 'browserHash' | 'nonce' | 'askedAppId' | 'askedUntil' | 'askedAccount' | 'turn' | 'updatedAt'
> & { askedAccount: Record<string, string> | null };

const SELECT = `
  SELECT id, org_id AS "orgId", user_id AS "userId", key_id AS "keyId", integration_name AS "integrationName",
    connection_name AS "connectionName", external_id AS "externalId", workspace_id AS "workspaceId",
    end_user_id AS "endUserId", scope, oauth_app_id AS "oauthAppId", success_redirect_uri AS "successRedirectUri",
    error_redirect_uri AS "errorRedirectUri", ${STATUS} AS status, connection_id AS "connectionId", error,
    asked_account AS "askedAccount", account_label AS "accountLabel",
    expires_at AS "expiresAt", created_at AS "createdAt"
  FROM connections.connect_sessions`;
/** Finds a session by its token. The token is the only identity of the request, so there is no organization to filter by. */
const FIND = `${SELECT} WHERE token_hash = $1 AND expires_at > now()`;
const FIND_OWN = `${SELECT} WHERE org_id = $1 AND id = $2`;

/** Returns the session of a token. Throws INVALID_TOKEN for an unknown or expired token. The error does not contain the token. */
export async function findSession(pool: Pool, token: string): Promise<FoundSession> {
  const { rows } = await pool.query<FoundSession>({
    name: 'find-connect-session',
    text: FIND,
    values: [hashToken(token)],
  });
  if (!rows[0])
    throw new ApiError('INVALID_TOKEN', 'The connect token is unknown or has expired. Create a new connect session');
  return rows[0];
}

/** Returns a session of the organization, even if it has expired, or undefined. */
export async function findOwnSession(pool: Pool, orgId: string, id: string): Promise<FoundSession | undefined> {
  const { rows } = await pool.query<FoundSession>(FIND_OWN, [orgId, id]);
  return rows[0];
}

/** Returns true if any organization has this session. */
export async function isSession(pool: Pool, id: string): Promise<boolean> {
  const { rowCount } = await pool.query('SELECT FROM connections.connect_sessions WHERE id = $1', [id]);
  return rowCount === 1;
}

/**
 * Maximum number of stored sessions of one organization, including expired sessions that are not deleted yet. It allows about 85,000 sessions a day.
 */
const MAX_SESSIONS = 100_000;
/** Maximum number of stored sessions that one end user started in the portal. */
const MAX_OF_PERSON = 100;
const RETRY_SECONDS = 3_600;

/**
 * The attributes of the connection that a session creates. `userId` and `keyId` identify the creator of the session. Both are absent if the end user
 * started the session in the portal.
 */
export type SessionFacts = Pick<
  FoundSession,
  'orgId' | 'integrationName' | 'connectionName' | 'externalId' | 'workspaceId' | 'scope'
> &
  Partial<
    Pick<FoundSession, 'userId' | 'keyId' | 'endUserId' | 'oauthAppId' | 'successRedirectUri' | 'errorRedirectUri'>
  >;

interface OpenedSession {
  session: { id: string; expiresAt: Date };
  /** The token, which is returned only once, in the link. The database stores its SHA-256 hash. */
  token: string;
}

/** Creates a session that expires after 4 hours, by the clock of the database. Throws RATE_LIMITED. */
export async function openSession(
  tx: Pick<Transaction, '$queryRaw' | 'total'>,
  facts: SessionFacts,
): Promise<OpenedSession> {
  const { orgId } = facts;
  await requireFew(tx, orgId);
  const token = newToken(CONNECT_TOKEN);
  const [session] = await tx.$queryRaw<[OpenedSession['session']]>`
    INSERT INTO connections.connect_sessions (org_id, id, token_hash, user_id, key_id, integration_name, connection_name,
      external_id, workspace_id, end_user_id, scope, oauth_app_id, success_redirect_uri, error_redirect_uri, expires_at, updated_at)
    VALUES (${orgId}::uuid, ${newId()}::uuid, ${hashToken(token)}, ${facts.userId ?? null}::uuid,
      ${facts.keyId ?? null}::uuid, ${facts.integrationName}, ${facts.connectionName}, ${facts.externalId},
      ${facts.workspaceId}::uuid, ${facts.endUserId ?? null}, ${facts.scope}, ${facts.oauthAppId ?? null}::uuid,
      ${facts.successRedirectUri ?? null}, ${facts.errorRedirectUri ?? null}, now() + interval '4 hours', now())
    RETURNING id, expires_at AS "expiresAt"`;
  return { session, token };
}

/**
 * Creates a session that an end user starts in the portal. The caller must have locked the stored end user. Deletes earlier unfinished sessions for
 * the same connection. A separate limit for each end user prevents one portal link from using up the limit of the organization. Throws RATE_LIMITED.
 */
export async function openPersonsSession(
  tx: Pick<Transaction, '$queryRaw' | 'total' | 'connectSession'>,
  facts: SessionFacts & { endUserId: string },
): Promise<OpenedSession> {
  const { orgId, workspaceId, endUserId, externalId, integrationName } = facts;
  const theirs = { orgId, workspaceId, endUserId, userId: null, keyId: null };
  await tx.connectSession.deleteMany({ where: { ...theirs, externalId, integrationName, status: 'PENDING' } });
  const begun = await tx.connectSession.count({ where: theirs });
  if (begun >= MAX_OF_PERSON) throw tooMany(`An end user can start at most ${MAX_OF_PERSON} connect sessions in a day`);
  return openSession(tx, facts);
}

/**
 * Throws RATE_LIMITED if the organization has too many sessions. The limit is approximate, because concurrent requests can create a few more
 * sessions.
 */
async function requireFew({ total }: Pick<Transaction, 'total'>, orgId: string): Promise<void> {
  const known = await total.findUnique({ where: { orgId_of: { orgId, of: 'connect_sessions' } } });
  if ((known?.rows ?? 0) < MAX_SESSIONS) return;
  throw tooMany(`An organization can create at most ${MAX_SESSIONS} connect sessions in a day`);
}

const tooMany = (message: string): ApiError =>
  new ApiError('RATE_LIMITED', message, { details: { retryAfter: RETRY_SECONDS } });

/**
 * The lock on a session. No other process can end the session until the lock is released or expires. `turn` is a fencing token that increases with
 * each lock.
 */
export interface SessionLock {
  orgId: string;
  id: string;
  turn: number;
}

const LOCK = `
  UPDATE connections.connect_sessions SET status = 'CONNECTING', turn = turn + 1, nonce = NULL, updated_at = now()
  WHERE ${THIS} AND ${OPEN} AND expires_at > now() AND ($3::text IS NULL OR nonce = $3)
  RETURNING turn`;
const HELD_BY = `${THIS} AND turn = $3 AND status = 'CONNECTING'`;
const RELEASE = `UPDATE connections.connect_sessions SET status = 'PENDING', updated_at = now() WHERE ${HELD_BY}`;
const FAIL = `
  UPDATE connections.connect_sessions SET status = 'FAILED', error = $4, updated_at = now() WHERE ${HELD_BY}`;

/**
 * Locks a session by changing PENDING to CONNECTING. Returns undefined if another process holds the lock, the session has ended, or `nonce` is not
 * the nonce of the current authorization. The lock uses up the nonce, so that a callback works only once.
 */
export async function lockSession(
  pool: Pool,
  orgId: string,
  id: string,
  nonce?: string,
): Promise<SessionLock | undefined> {
  const { rows } = await pool.query<{ turn: number }>(LOCK, [orgId, id, nonce ?? null]);
  return rows[0] && { orgId, id, turn: rows[0].turn };
}

/** Releases the lock by changing CONNECTING to PENDING, so that the user can try again. */
export async function releaseSession(pool: Pool, { orgId, id, turn }: SessionLock): Promise<void> {
  await pool.query(RELEASE, [orgId, id, turn]);
}

/** Ends the session by changing CONNECTING to FAILED. Does nothing if the lock was lost. */
export async function failSession(pool: Pool, { orgId, id, turn }: SessionLock, error: string): Promise<void> {
  await pool.query(FAIL, [orgId, id, turn, error]);
}

/**
 * Completes the session in the transaction that stores the connection. Throws LostLock if the lock expired and another process locked or ended the
 * session.
 */
export async function completeSession(
  tx: Pick<Transaction, 'connectSession'>,
  held: SessionLock,
  made: { connectionId: string; accountLabel: string | null },
): Promise<void> {
  const { orgId, id, turn } = held;
  const { count } = await tx.connectSession.updateMany({
    where: { orgId, id, turn, status: 'CONNECTING' },
    data: { status: 'COMPLETED', ...made },
  });
  if (count === 0) throw new LostLock();
}

/** Thrown if the lock of a session expired and another process locked or ended the session. */
export class LostLock extends Error {
  override readonly name = 'LostLock';
}
