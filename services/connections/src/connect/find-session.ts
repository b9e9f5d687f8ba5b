import { ApiError, hashToken } from '@drawbridge/contracts';
import { type Pool } from 'pg';
import { STATUS } from './end-session.js';

/** A session that was found by its token. */
export interface FoundSession {
  id: string;
  orgId: string;
  userId: string | null;
  keyId: string | null;
  integrationName: string;
  connectionName: string;
  externalId: string;
  workspaceId: string;
  endUserId: string | null;
  scope: string;
  oauthAppId: string | null;
  successRedirectUri: string | null;
  errorRedirectUri: string | null;
  status: string;
  connectionId: string | null;
  error: string | null;
  expiresAt: Date;
  createdAt: Date;
}

const SELECT = `
  SELECT id, org_id AS "orgId", user_id AS "userId", key_id AS "keyId", integration_name AS "integrationName",
    connection_name AS "connectionName", external_id AS "externalId", workspace_id AS "workspaceId",
    end_user_id AS "endUserId", scope, oauth_app_id AS "oauthAppId", success_redirect_uri AS "successRedirectUri",
    error_redirect_uri AS "errorRedirectUri", ${STATUS} AS status, connection_id AS "connectionId", error,
    expires_at AS "expiresAt", created_at AS "createdAt"
  FROM connections.connect_sessions`;
/** The request has no identity yet: the session says which organization it belongs to. */
const FIND = `${SELECT} WHERE token_hash = $1 AND expires_at > now()`;
const FIND_OWN = `${SELECT} WHERE org_id = $1 AND id = $2`;

/** Throws INVALID_TOKEN for an unknown or expired token, without repeating it. */
export async function findSession(pool: Pool, token: string): Promise<FoundSession> {
  const { rows } = await pool.query<FoundSession>({
    name: 'find-connect-session',
    text: FIND,
    values: [hashToken(token)],
  });
  if (!rows[0]) throw new ApiError('INVALID_TOKEN', 'The connect token is unknown or has expired');
  return rows[0];
}

/** Also finds expired sessions; undefined if the organization has no such session. */
export async function findOwnSession(pool: Pool, orgId: string, id: string): Promise<FoundSession | undefined> {
  const { rows } = await pool.query<FoundSession>(FIND_OWN, [orgId, id]);
  return rows[0];
}

/** Returns whether any organization has this session. */
export async function isSession(pool: Pool, id: string): Promise<boolean> {
  const { rowCount } = await pool.query('SELECT FROM connections.connect_sessions WHERE id = $1', [id]);
  return rowCount === 1;
}
