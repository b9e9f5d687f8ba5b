import { hashToken } from '@drawbridge/contracts';
import { type RevokeOAuthTokenRequest } from '@drawbridge/proto/drawbridge/mcp/v1/oauth';
import { type Pool } from 'pg';

/** Uses the unique indexes of both tables. The token identifies its grant and the client to which it was issued. */
const END_GRANT = {
  name: 'revoke-grant',
  text: `
    DELETE FROM mcp.oauth_grants WHERE client_id = $2 AND id IN (
      SELECT grant_id FROM mcp.oauth_refresh_tokens WHERE token_hash = $1)`,
};
const END_TOKEN = {
  name: 'revoke-token',
  text: `
    DELETE FROM mcp.tokens WHERE token_hash = $1 AND grant_id IN (
      SELECT g.id FROM mcp.tokens t JOIN mcp.oauth_grants g ON g.id = t.grant_id
      WHERE t.token_hash = $1 AND g.client_id = $2)`,
};

/** Revokes a token. An unknown token, or one of another client, is ignored without an error. */
export async function revokeToken(pool: Pool, { token, clientId }: RevokeOAuthTokenRequest): Promise<void> {
  const values = [hashToken(token), clientId];
  await pool.query({ ...END_TOKEN, values });
  await pool.query({ ...END_GRANT, values });
}
