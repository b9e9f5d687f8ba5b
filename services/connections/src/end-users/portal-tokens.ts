import { hashToken, newId, newToken, notFound, PORTAL_TOKEN } from '@drawbridge/contracts';
import { type RetentionRule } from '@drawbridge/events';
import { type CheckPortalLinkRequest } from '@drawbridge/proto/drawbridge/connections/v1/end_users';
import { type Pool } from 'pg';
import { type Transaction } from '../database.js';

/** Valid links of one end user; the oldest are deleted beyond that. */
const MAX_TOKENS = 100;

/** The end user of a link, the integration that it shows, and its lifetime in seconds. */
export interface PortalFacts {
  orgId: string;
  /** The id of the record. */
  endUserId: string;
  /** The only integration that it shows. */
  integrationName?: string;
  expiresIn: number;
  /** The address to which it is mailed. */
  email?: string;
}

export interface NewPortalToken {
  id: string;
  /** Only for the link: the database stores its SHA-256. */
  token: string;
  expiresAt: Date;
}

/** Creates a link that expires by the database's clock. Throws NOT_FOUND if the end user is deleted. */
export async function newPortalToken(
  tx: Pick<Transaction, '$queryRaw' | '$executeRaw'>,
  { orgId, endUserId, integrationName, expiresIn, email }: PortalFacts,
): Promise<NewPortalToken> {
  const [id, token] = [newId(), newToken(PORTAL_TOKEN)];
  const [made] = await tx.$queryRaw<{ expiresAt: Date }[]>`
    INSERT INTO connections.portal_tokens (org_id, id, end_user_id, token_hashes, integration_name, email, expires_at)
    SELECT org_id, ${id}::uuid, id, ARRAY[${hashToken(token)}], ${integrationName ?? null}, ${email ?? null},
      now() + ${expiresIn}::int * interval '1 second'
    FROM connections.end_users WHERE org_id = ${orgId}::uuid AND id = ${endUserId}::uuid FOR KEY SHARE
    RETURNING expires_at AS "expiresAt"`;
  if (!made) throw notFound('End user', endUserId);
  await tx.$executeRaw`
    DELETE FROM connections.portal_tokens WHERE org_id = ${orgId}::uuid AND id IN (
      SELECT id FROM connections.portal_tokens WHERE org_id = ${orgId}::uuid AND end_user_id = ${endUserId}::uuid
      ORDER BY id DESC OFFSET ${MAX_TOKENS})`;
  return { id, token, expiresAt: made.expiresAt };
}

const FIND = `
  SELECT FROM connections.portal_tokens link
  CROSS JOIN LATERAL (SELECT * FROM connections.end_users WHERE id = link.end_user_id LIMIT 1) u
  WHERE link.org_id = $1 AND link.id = $2 AND link.expires_at > now() AND u.workspace_id = $3 AND u.external_id = $4`;

/** Returns whether a link is valid and belongs to that end user. */
export async function isPortalLink(
  pool: Pool,
  { orgId, linkId, placeId, externalId }: CheckPortalLinkRequest,
): Promise<boolean> {
  const values = [orgId, linkId, placeId, externalId];
  const { rowCount } = await pool.query({ name: 'find-link-of-end-user', text: FIND, values });
  return rowCount === 1;
}

/** Expired links. */
export const OLD_PORTAL_TOKENS: RetentionRule = {
  table: 'connections.portal_tokens',
  key: 'id',
  oldest: 'expires_at',
  expired: 'expires_at < now()',
};
