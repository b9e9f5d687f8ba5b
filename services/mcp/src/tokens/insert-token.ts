import { hashToken, newId } from '@drawbridge/contracts';
import { type Prisma, type Server } from '../gen/prisma/client.js';
import { type EndUser } from './find-end-user.js';

/** Valid bearer tokens of one end user in one server; beyond that, the oldest ones end. OAuth tokens are limited by their grant. */
const MAX_TOKENS = 100;

export interface WantedToken extends EndUser {
  kind: 'bearer' | 'oauth';
  accessToken: string;
  scopes: string[];
  /** Seconds. */
  expiresIn: number;
  /** The grant for which it is issued. */
  grantId?: string;
}

export interface InsertedToken {
  id: string;
  orgId: string;
  workspaceId: string;
  tokenPrefix: string;
}

/** Inserts a token; the server must be locked. Its times are by the database's clock. */
export async function insertToken(
  tx: Prisma.TransactionClient,
  server: Pick<Server, 'id' | 'orgId' | 'workspaceId'>,
  wanted: WantedToken,
): Promise<InsertedToken> {
  const { id: serverId, orgId, workspaceId } = server;
  const { kind, accessToken, scopes, endUserId, endUserRecordId, expiresIn, grantId = null } = wanted;
  const [id, tokenPrefix] = [newId(), accessToken.slice(0, 8)];
  await tx.$executeRaw`
    INSERT INTO mcp.tokens (id, org_id, workspace_id, server_id, kind, token_hash, token_prefix, scopes, end_user_id,
      end_user_record_id, grant_id, expires_at)
    VALUES (${id}::uuid, ${orgId}::uuid, ${workspaceId}::uuid, ${serverId}::uuid, ${kind}, ${hashToken(accessToken)},
      ${tokenPrefix}, ${scopes}, ${endUserId}, ${endUserRecordId}::uuid, ${grantId}::uuid,
      now() + ${expiresIn}::int * interval '1 second')`;
  if (grantId !== null) return { id, orgId, workspaceId, tokenPrefix };
  await tx.$executeRaw`
    DELETE FROM mcp.tokens WHERE org_id = ${orgId}::uuid AND id IN (
      SELECT id FROM mcp.tokens
      WHERE server_id = ${serverId}::uuid AND end_user_record_id = ${endUserRecordId}::uuid AND kind = ${kind} AND grant_id IS NULL
      ORDER BY expires_at > now() DESC, created_at DESC, id DESC OFFSET ${MAX_TOKENS})`;
  return { id, orgId, workspaceId, tokenPrefix };
}
