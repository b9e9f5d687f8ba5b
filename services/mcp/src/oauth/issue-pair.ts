import { hashToken, MCP_OAUTH_TOKEN, MCP_REFRESH_TOKEN, newId, newToken } from '@drawbridge/contracts';
import { type OAuthTokens } from '@drawbridge/proto/drawbridge/mcp/v1/oauth';
import { type OAuthGrant, type Prisma, type Server } from '../gen/prisma/client.js';
import { insertToken } from '../tokens/insert-token.js';
import { scopesOf } from '../tokens/scopes.js';
import { keepClient } from './clients.js';
import { refusal } from './with-grant.js';

const ACCESS_SECONDS = 3_600;
/** Valid access tokens of one grant: a program that requests more ends its own oldest ones. */
const MAX_ACCESS = 20;

/** Issues an access token and the next refresh token of a grant that is locked with its server. Throws VALIDATION_ERROR (`invalid_scope`). */
export async function issuePair(
  tx: Prisma.TransactionClient,
  { server, grant, scopes: asked }: { server: Server; grant: OAuthGrant; scopes: string[] },
): Promise<OAuthTokens> {
  const { id: grantId, orgId, endUserId, endUserRecordId, clientId } = grant;
  const [accessToken, refreshToken] = [newToken(MCP_OAUTH_TOKEN), newToken(MCP_REFRESH_TOKEN)];
  const scopes = scopesOf(server.mode).filter((scope) => asked.includes(scope));
  if (scopes.length === 0) throw refusal('invalid_scope', 'The server has none of these scopes any more');
  const wanted = { kind: 'oauth' as const, accessToken, scopes, expiresIn: ACCESS_SECONDS, grantId };
  const { id: accessTokenId } = await insertToken(tx, server, { ...wanted, endUserId, endUserRecordId });
  await tx.$executeRaw`
    DELETE FROM mcp.tokens WHERE org_id = ${orgId}::uuid AND id IN (
      SELECT id FROM mcp.tokens WHERE org_id = ${orgId}::uuid AND grant_id = ${grantId}::uuid
      ORDER BY id DESC OFFSET ${MAX_ACCESS})`; // ordered by id: created_at is the start of a transaction, which may have waited long for the lock
  await tx.$executeRaw`
    INSERT INTO mcp.oauth_refresh_tokens (id, org_id, grant_id, token_hash, access_token_id, expires_at)
    VALUES (${newId()}::uuid, ${orgId}::uuid, ${grantId}::uuid, ${hashToken(refreshToken)}, ${accessTokenId}::uuid,
      now() + interval '30 days')`;
  await tx.$executeRaw`
    UPDATE mcp.oauth_grants SET expires_at = now() + interval '30 days', redeemed_at = COALESCE(redeemed_at, now())
    WHERE org_id = ${orgId}::uuid AND id = ${grantId}::uuid`;
  await keepClient(tx, clientId);
  return { accessToken, expiresIn: ACCESS_SECONDS, refreshToken, scopes };
}
