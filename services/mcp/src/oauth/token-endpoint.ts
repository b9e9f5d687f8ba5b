import { createHash } from 'node:crypto';
import { hashToken, MCP_OAUTH_TOKEN, MCP_REFRESH_TOKEN, newId, newToken } from '@drawbridge/contracts';
import {
  type OAuthTokens,
  type RedeemCodeRequest,
  type RefreshTokensRequest,
  type RevokeOAuthTokenRequest,
} from '@drawbridge/proto/drawbridge/mcp/v1/oauth';
import { type Pool } from 'pg';
import { scopesOf } from '../access/token-access.js';
import { type OAuthGrant, type Prisma, type Server } from '../gen/prisma/client.js';
import { insertToken } from '../tokens/tokens.js';
import { keepClient, requireKnownClient } from './clients.js';
import { endGrant, invalidGrant, type Place, refusal, withGrant } from './grants.js';
import { type Parts } from '../parts.js';

/** Finds the grant of an authorization code. */
const FIND_CODE = {
  name: 'find-code',
  text: `
    SELECT id, org_id AS "orgId", server_id AS "serverId", end_user_id AS "endUserId", end_user_record_id AS "endUserRecordId",
      client_id AS "clientId", redirect_uri AS "redirectUri", code_challenge AS "codeChallenge"
    FROM mcp.oauth_grants WHERE code_hash = $1`,
};

/** The columns of a grant that a request with its code must match. They never change, so they are compared without a lock. */
type Bound = Pick<OAuthGrant, 'clientId' | 'redirectUri' | 'codeChallenge'>;

/**
 * Exchanges a code for one pair of tokens, even with concurrent requests. A second valid request revokes the grant, because one of the requests may
 * be from an attacker (OWASP ASVS 5.0, 10.4.2). A request without the code verifier, for example with a code from a browser's history, is not valid
 * and revokes nothing. Throws VALIDATION_ERROR, RATE_LIMITED and TIMEOUT (`AtServer`).
 */
export async function redeemCode(parts: Parts, request: RedeemCodeRequest): Promise<OAuthTokens> {
  const { rows } = await parts.pool.query<Place & Bound>({ ...FIND_CODE, values: [hashToken(request.code)] });
  if (!rows[0] || !isFor(rows[0], request)) {
    await requireKnownClient(parts.pool, request.clientId);
    throw invalidGrant();
  }
  return withGrant(parts, rows[0], async (tx, { server, grant, problem }) => {
    if (grant.redeemedAt !== null) {
      await endGrant(tx, grant);
      return invalidGrant();
    }
    if (await isOver(tx, grant)) return invalidGrant();
    if (request.serverId !== undefined && request.serverId !== grant.serverId)
      return refusal('invalid_target', 'The code is for another resource');
    if (problem) return problem;
    return await issuePair(tx, { server, grant, scopes: grant.scopes });
  });
}

function isFor(grant: Bound, { clientId, redirectUri, codeVerifier }: RedeemCodeRequest): boolean {
  const challenge = createHash('sha256').update(codeVerifier).digest('base64url');
  return grant.clientId === clientId && grant.redirectUri === redirectUri && grant.codeChallenge === challenge;
}

/** Returns whether the code has expired by the database's clock. */
async function isOver(tx: Prisma.TransactionClient, { id, orgId }: OAuthGrant): Promise<boolean> {
  const rows = await tx.$queryRaw<object[]>`
    SELECT id FROM mcp.oauth_grants WHERE org_id = ${orgId}::uuid AND id = ${id}::uuid AND code_expires_at > now()`;
  return rows.length === 0;
}

/**
 * Maximum number of refresh tokens of one grant in a day, including unused tokens. A client needs one per hour. More count as a replay, which revokes
 * the grant.
 */
const MAX_REFRESHES = 300;

/** Finds the grant of a refresh token and the client to which it was issued. */
const FIND_REFRESH_TOKEN = {
  name: 'find-refresh-token',
  text: `
    SELECT g.id, g.org_id AS "orgId", g.server_id AS "serverId", g.end_user_id AS "endUserId",
      g.end_user_record_id AS "endUserRecordId", g.client_id AS "clientId"
    FROM mcp.oauth_refresh_tokens r JOIN mcp.oauth_grants g ON g.id = r.grant_id WHERE r.token_hash = $1`,
};

/** Exchanges a refresh token for the next pair of tokens. Throws VALIDATION_ERROR, RATE_LIMITED and TIMEOUT (`AtServer`). */
export async function refreshTokens(parts: Parts, request: RefreshTokensRequest): Promise<OAuthTokens> {
  const tokenHash = hashToken(request.refreshToken);
  const { rows } = await parts.pool.query<Place & { clientId: string }>({ ...FIND_REFRESH_TOKEN, values: [tokenHash] });
  // A client that sends the token of another client proves nothing about the grant. The grant is not revoked, and the request takes no lock.
  if (rows[0]?.clientId !== request.clientId) {
    await requireKnownClient(parts.pool, request.clientId);
    throw invalidGrant();
  }
  return withGrant(parts, rows[0], async (tx, { server, grant, problem: closed }) => {
    const state = await stateOf(tx, grant, tokenHash);
    if (state === 'replayed') await endGrant(tx, grant);
    if (state === 'replayed' || state === 'over') return invalidGrant();
    const problem = closed ?? problemOf(grant, request);
    if (problem) return problem;
    if (state === 'fresh') await use(tx, grant, tokenHash);
    const scopes = request.scopes.length > 0 ? request.scopes : grant.scopes;
    return await issuePair(tx, { server, grant, scopes });
  });
}

function problemOf(grant: OAuthGrant, { serverId, scopes }: RefreshTokensRequest) {
  if (serverId !== undefined && serverId !== grant.serverId)
    return refusal('invalid_target', 'The token is for another resource');
  if (scopes.some((scope) => !grant.scopes.includes(scope)))
    return refusal('invalid_scope', 'The request contains a scope that the user did not grant');
  return undefined;
}

type State = 'fresh' | 'again' | 'replayed' | 'over';

/**
 * Returns the state of a refresh token. `again`: it was used in the last 10 s, and no token that was issued for it has been used yet. The client lost
 * the response, or sent concurrent requests, as clients do when several calls fail at the same time. It is unknown which response the client stores,
 * so all issued tokens work until one of them is used. clock_timestamp() advances within a transaction, so it shows which token was used first.
 */
async function stateOf(tx: Prisma.TransactionClient, { id, orgId }: OAuthGrant, tokenHash: string): Promise<State> {
  const [row] = await tx.$queryRaw<{ state: State }[]>`
    SELECT CASE
      WHEN t.expires_at <= now() THEN 'over'
      WHEN (
        SELECT count(*) FROM mcp.oauth_refresh_tokens o WHERE o.org_id = ${orgId}::uuid AND o.grant_id = t.grant_id
          AND (o.used_at IS NULL OR o.used_at > now() - interval '1 day')) > ${MAX_REFRESHES} THEN 'replayed'
      WHEN t.used_at IS NULL THEN 'fresh'
      WHEN NOT t.is_replaced AND t.used_at > clock_timestamp() - interval '10 seconds' AND NOT EXISTS (
        SELECT FROM mcp.oauth_refresh_tokens o
        WHERE o.grant_id = t.grant_id AND o.id <> t.id AND NOT o.is_replaced AND o.used_at >= t.used_at) THEN 'again'
      ELSE 'replayed' END AS state
    FROM mcp.oauth_refresh_tokens t
    WHERE t.org_id = ${orgId}::uuid AND t.grant_id = ${id}::uuid AND t.token_hash = ${tokenHash}`;
  return row?.state ?? 'over';
}

/**
 * Marks the token as used. All other unused refresh tokens of the grant, which concurrent requests obtained, are marked as replaced, so that a later
 * use counts as a replay. Their access tokens are deleted.
 */
async function use(tx: Prisma.TransactionClient, { id, orgId }: OAuthGrant, tokenHash: string): Promise<void> {
  await tx.$executeRaw`
    WITH passed AS (
      UPDATE mcp.oauth_refresh_tokens SET used_at = clock_timestamp(), is_replaced = token_hash <> ${tokenHash}
      WHERE org_id = ${orgId}::uuid AND grant_id = ${id}::uuid AND used_at IS NULL RETURNING access_token_id, is_replaced)
    DELETE FROM mcp.tokens WHERE org_id = ${orgId}::uuid AND id IN (SELECT access_token_id FROM passed WHERE is_replaced)`;
}

const ACCESS_SECONDS = 3_600;
/** Maximum number of valid access tokens of one grant. A further token revokes the oldest. */
const MAX_ACCESS = 20;

/**
 * Issues an access token and the next refresh token of a grant that is locked together with its server. Throws VALIDATION_ERROR (`invalid_scope`).
 */
async function issuePair(
  tx: Prisma.TransactionClient,
  { server, grant, scopes: asked }: { server: Server; grant: OAuthGrant; scopes: string[] },
): Promise<OAuthTokens> {
  const { id: grantId, orgId, endUserId, endUserRecordId, clientId } = grant;
  const [accessToken, refreshToken] = [newToken(MCP_OAUTH_TOKEN), newToken(MCP_REFRESH_TOKEN)];
  const scopes = scopesOf(server.mode).filter((scope) => asked.includes(scope));
  if (scopes.length === 0) throw refusal('invalid_scope', 'The server no longer supports any of these scopes');
  const wanted = { kind: 'oauth' as const, accessToken, scopes, expiresIn: ACCESS_SECONDS, grantId };
  const accessTokenId = await insertToken(tx, server, { ...wanted, endUserId, endUserRecordId });
  await tx.$executeRaw`
    DELETE FROM mcp.tokens WHERE org_id = ${orgId}::uuid AND id IN (
      SELECT id FROM mcp.tokens WHERE org_id = ${orgId}::uuid AND grant_id = ${grantId}::uuid
      ORDER BY id DESC OFFSET ${MAX_ACCESS})`; // by id, the order of issue: created_at is the start of the transaction, before its wait for the lock
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

/** Revokes the grant of a refresh token, if the token was issued to this client. The query finds the token and its grant by unique indexes. */
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

/** Revokes a token. An unknown token, or a token of another client, is ignored without an error. */
export async function revokeToken(pool: Pool, { token, clientId }: RevokeOAuthTokenRequest): Promise<void> {
  const values = [hashToken(token), clientId];
  await pool.query({ ...END_TOKEN, values });
  await pool.query({ ...END_GRANT, values });
}
