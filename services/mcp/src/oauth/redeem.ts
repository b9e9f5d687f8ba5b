import { createHash } from 'node:crypto';
import { hashToken } from '@drawbridge/contracts';
import { type OAuthTokens, type RedeemCodeRequest } from '@drawbridge/proto/drawbridge/mcp/v1/oauth';
import { type OAuthGrant, type Prisma } from '../gen/prisma/client.js';
import { issuePair } from './issue-pair.js';
import { type OAuthParts } from './oauth-parts.js';
import { endGrant, invalidGrant, type Place, refusal, withGrant } from './with-grant.js';

/** Whose a code is, it says itself. */
const FIND = {
  name: 'find-code',
  text: `
    SELECT id, org_id AS "orgId", server_id AS "serverId", end_user_id AS "endUserId", end_user_record_id AS "endUserRecordId"
    FROM mcp.oauth_grants WHERE code_hash = $1`,
};

/** One code gives one pair, however many ask at once. Throws VALIDATION_ERROR. */
export async function redeemCode(parts: OAuthParts, request: RedeemCodeRequest): Promise<OAuthTokens> {
  const { rows } = await parts.pool.query<Place>({ ...FIND, values: [hashToken(request.code)] });
  if (!rows[0]) throw invalidGrant();
  return withGrant<OAuthTokens>(parts, rows[0], async (tx, { server, grant, problem }) => {
    if (grant.redeemedAt !== null) {
      await endGrant(tx, grant);
      return { refused: invalidGrant() };
    }
    if (!isFor(grant, request) || (await isOver(tx, grant))) return { refused: invalidGrant() };
    if (request.serverId !== undefined && request.serverId !== grant.serverId)
      return { refused: refusal('invalid_target', 'The code is for another resource') };
    if (problem) return { refused: problem };
    return { is: await issuePair(tx, { server, grant, scopes: grant.scopes }) };
  });
}

function isFor(grant: OAuthGrant, { clientId, redirectUri, codeVerifier }: RedeemCodeRequest): boolean {
  const challenge = createHash('sha256').update(codeVerifier).digest('base64url');
  return grant.clientId === clientId && grant.redirectUri === redirectUri && grant.codeChallenge === challenge;
}

/** By the database's clock. */
async function isOver(tx: Prisma.TransactionClient, { id, orgId }: OAuthGrant): Promise<boolean> {
  const rows = await tx.$queryRaw<object[]>`
    SELECT id FROM mcp.oauth_grants WHERE org_id = ${orgId}::uuid AND id = ${id}::uuid AND code_expires_at > now()`;
  return rows.length === 0;
}
