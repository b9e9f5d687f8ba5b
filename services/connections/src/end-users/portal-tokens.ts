import { hashToken, newId, newToken, notFound, PORTAL_TOKEN } from '@drawbridge/contracts';
import { type RetentionRule } from '@drawbridge/events';
import { type CheckPortalLinkRequest } from '@drawbridge/proto/drawbridge/connections/v1/end_users';
import { type Pool } from 'pg';
import { type Transaction } from '../database.js';

/** Of a person that work at once: of more the oldest ends. */
const MAX_TOKENS = 100;

/** Whom a link is for, what it shows, and for how many seconds. */
export interface PortalFacts {
  orgId: string;
  /** Of the record. */
  endUserId: string;
  /** The one integration that it shows. */
  integrationName?: string;
  expiresIn: number;
  /** Where it is mailed to. */
  email?: string;
}

export interface NewPortalToken {
  id: string;
  /** For the link, and told to nobody else: its SHA-256 is stored. */
  token: string;
  expiresAt: Date;
}

/** A new link, whose time is the database's. Throws NOT_FOUND when the person is gone. */
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

/** Whether a link works, and is that end user's. */
export async function isPortalLink(
  pool: Pool,
  { orgId, linkId, placeId, externalId }: CheckPortalLinkRequest,
): Promise<boolean> {
  const values = [orgId, linkId, placeId, externalId];
  const { rowCount } = await pool.query({ name: 'find-link-of-end-user', text: FIND, values });
  return rowCount === 1;
}

/** Links that are over. */
export const OLD_PORTAL_TOKENS: RetentionRule = {
  table: 'connections.portal_tokens',
  key: 'id',
  oldest: 'expires_at',
  expired: 'expires_at < now()',
};
