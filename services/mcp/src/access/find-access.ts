import { isId } from '@drawbridge/contracts';
import { type Pool } from 'pg';

/** Uses the unique indexes of both tables, however many rows there are. Times are compared by the database's clock. */
const FIND = {
  name: 'find-mcp-access',
  text: `
    SELECT s.id, s.org_id AS "orgId", s.workspace_id AS "workspaceId", s.user_id AS "userId", s.name, s.description, s.mode,
      s.approval_wait_seconds AS "approvalWaitSeconds", s.auth_mode AS "authMode", s.end_user_access AS "endUserAccess",
      s.end_user_id AS "endUserId", s.end_user_record_id AS "endUserRecordId", s.share_id AS "shareId", s.version,
      s.suspended_at IS NOT NULL AS "isSuspended", s.suspension_reason AS "suspensionReason",
      s.static_token_hash = $2 AS "isStatic",
      t.id AS "tokenId", t.kind AS "tokenKind", t.scopes AS "tokenScopes", t.end_user_id AS "tokenEndUserId",
      t.end_user_record_id AS "tokenEndUserRecordId", t.expires_at AS "tokenExpiresAt"
    FROM mcp.servers s
    LEFT JOIN mcp.tokens t ON t.token_hash = $2 AND t.server_id = s.id AND t.expires_at > now()
    WHERE s.id = $1`,
};

/** A server, and the token if it is valid there. */
export interface FoundAccess {
  id: string;
  orgId: string;
  workspaceId: string;
  userId: string;
  name: string;
  description: string | null;
  mode: string;
  approvalWaitSeconds: number;
  authMode: string;
  endUserAccess: string;
  endUserId: string | null;
  endUserRecordId: string | null;
  shareId: string | null;
  version: number;
  isSuspended: boolean;
  suspensionReason: string | null;
  /** Null: it has no static bearer. */
  isStatic: boolean | null;
  tokenId: string | null;
  tokenKind: string | null;
  tokenScopes: string[] | null;
  tokenEndUserId: string | null;
  tokenEndUserRecordId: string | null;
  tokenExpiresAt: Date | null;
}

/** Reads the database each time, without a cache: a revoked token is invalid as soon as its deletion commits. */
export async function findAccess(pool: Pool, serverId: string, tokenHash: string): Promise<FoundAccess | undefined> {
  if (!isId(serverId)) return undefined;
  const { rows } = await pool.query<FoundAccess>({ ...FIND, values: [serverId, tokenHash] });
  return rows[0];
}
