import { hashToken } from '@drawbridge/contracts';
import { type OAuthTokens, type RefreshTokensRequest } from '@drawbridge/proto/drawbridge/mcp/v1/oauth';
import { type OAuthGrant, type Prisma } from '../gen/prisma/client.js';
import { requireKnownClient } from './clients.js';
import { issuePair } from './issue-pair.js';
import { type OAuthParts } from './oauth-parts.js';
import { endGrant, invalidGrant, type Place, refusal, withGrant } from './with-grant.js';

/** Refresh tokens of one grant in a day, unused ones included. A program needs one an hour; more than this counts as an attack. */
const MAX_REFRESHES = 300;

/** The token identifies its grant and the client to which it was issued. */
const FIND = {
  name: 'find-refresh-token',
  text: `
    SELECT g.id, g.org_id AS "orgId", g.server_id AS "serverId", g.end_user_id AS "endUserId",
      g.end_user_record_id AS "endUserRecordId", g.client_id AS "clientId"
    FROM mcp.oauth_refresh_tokens r JOIN mcp.oauth_grants g ON g.id = r.grant_id WHERE r.token_hash = $1`,
};

/** Exchanges a refresh token for the next pair of tokens. Throws VALIDATION_ERROR, and as `AtServer` does. */
export async function refreshTokens(parts: OAuthParts, request: RefreshTokensRequest): Promise<OAuthTokens> {
  const tokenHash = hashToken(request.refreshToken);
  const { rows } = await parts.pool.query<Place & { clientId: string }>({ ...FIND, values: [tokenHash] });
  // A token of another client says nothing about its holder: the grant stays, and the request does not wait for the server's lock.
  if (rows[0]?.clientId !== request.clientId) {
    await requireKnownClient(parts.pool, request.clientId);
    throw invalidGrant();
  }
  return withGrant<OAuthTokens>(parts, rows[0], async (tx, { server, grant, problem: closed }) => {
    const state = await stateOf(tx, grant, tokenHash);
    if (state === 'replayed') await endGrant(tx, grant);
    if (state === 'replayed' || state === 'over') return { refused: invalidGrant() };
    const problem = closed ?? problemOf(grant, request);
    if (problem) return { refused: problem };
    if (state === 'fresh') await use(tx, grant, tokenHash);
    const scopes = request.scopes.length > 0 ? request.scopes : grant.scopes;
    return { is: await issuePair(tx, { server, grant, scopes }) };
  });
}

function problemOf(grant: OAuthGrant, { serverId, scopes }: RefreshTokensRequest) {
  if (serverId !== undefined && serverId !== grant.serverId)
    return refusal('invalid_target', 'The token is for another resource');
  if (scopes.some((scope) => !grant.scopes.includes(scope)))
    return refusal('invalid_scope', 'More was asked for than was allowed');
  return undefined;
}

type State = 'fresh' | 'again' | 'replayed' | 'over';

/**
 * `again`: the token was used a moment ago, and none of the tokens issued for it has been used yet. The client lost the response, or sent concurrent
 * requests, as programs do whose calls all fail at once. It is unknown which response the client keeps, so all of them work until one is used.
 * clock_timestamp() advances within a transaction and so shows which use was first.
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
 * Marks the token as used. Parallel refresh tokens that were not used are replaced, and their access tokens deleted: a later use of one is a replay.
 */
async function use(tx: Prisma.TransactionClient, { id, orgId }: OAuthGrant, tokenHash: string): Promise<void> {
  await tx.$executeRaw`
    WITH passed AS (
      UPDATE mcp.oauth_refresh_tokens SET used_at = clock_timestamp(), is_replaced = token_hash <> ${tokenHash}
      WHERE org_id = ${orgId}::uuid AND grant_id = ${id}::uuid AND used_at IS NULL RETURNING access_token_id, is_replaced)
    DELETE FROM mcp.tokens WHERE org_id = ${orgId}::uuid AND id IN (SELECT access_token_id FROM passed WHERE is_replaced)`;
}
