import { createHash } from 'node:crypto';
import { hashToken } from '@drawbridge/contracts';
import { type OAuthTokens, type RedeemCodeRequest } from '@drawbridge/proto/drawbridge/mcp/v1/oauth';
import { type OAuthGrant, type Prisma } from '../gen/prisma/client.js';
import { requireKnownClient } from './clients.js';
import { issuePair } from './issue-pair.js';
import { type OAuthParts } from './oauth-parts.js';
import { endGrant, invalidGrant, type Place, refusal, withGrant } from './with-grant.js';

/** The code identifies its grant and organization. */
const FIND = {
  name: 'find-code',
  text: `
    SELECT id, org_id AS "orgId", server_id AS "serverId", end_user_id AS "endUserId", end_user_record_id AS "endUserRecordId",
      client_id AS "clientId", redirect_uri AS "redirectUri", code_challenge AS "codeChallenge"
    FROM mcp.oauth_grants WHERE code_hash = $1`,
};

/** The fields that a code is bound to. They never change. */
type Bound = Pick<OAuthGrant, 'clientId' | 'redirectUri' | 'codeChallenge'>;

/**
 * Exchanges a code for one pair of tokens, even with concurrent requests; a second valid request ends the grant. A request with the code alone, such
 * as one read from a browser's history, redeems nothing and ends nothing (OWASP ASVS 5.0, 10.4.2: the second valid request). Throws VALIDATION_ERROR,
 * and as `AtServer` does.
 */
export async function redeemCode(parts: OAuthParts, request: RedeemCodeRequest): Promise<OAuthTokens> {
  const { rows } = await parts.pool.query<Place & Bound>({ ...FIND, values: [hashToken(request.code)] });
  if (!rows[0] || !isFor(rows[0], request)) {
    await requireKnownClient(parts.pool, request.clientId);
    throw invalidGrant();
  }
  return withGrant<OAuthTokens>(parts, rows[0], async (tx, { server, grant, problem }) => {
    if (grant.redeemedAt !== null) {
      await endGrant(tx, grant);
      return { refused: invalidGrant() };
    }
    if (await isOver(tx, grant)) return { refused: invalidGrant() };
    if (request.serverId !== undefined && request.serverId !== grant.serverId)
      return { refused: refusal('invalid_target', 'The code is for another resource') };
    if (problem) return { refused: problem };
    return { is: await issuePair(tx, { server, grant, scopes: grant.scopes }) };
  });
}

function isFor(grant: Bound, { clientId, redirectUri, codeVerifier }: RedeemCodeRequest): boolean {
  const challenge = createHash('sha256').update(codeVerifier).digest('base64url');
  return grant.clientId === clientId && grant.redirectUri === redirectUri && grant.codeChallenge === challenge;
}

/** Expired by the database's clock. */
async function isOver(tx: Prisma.TransactionClient, { id, orgId }: OAuthGrant): Promise<boolean> {
  const rows = await tx.$queryRaw<object[]>`
    SELECT id FROM mcp.oauth_grants WHERE org_id = ${orgId}::uuid AND id = ${id}::uuid AND code_expires_at > now()`;
  return rows.length === 0;
}
