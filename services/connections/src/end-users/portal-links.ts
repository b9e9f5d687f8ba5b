import { ApiError, hashToken, invalid, newId, newToken, notFound, PORTAL_TOKEN } from '@drawbridge/contracts';
import { toEmail } from '@drawbridge/mail';
import { findPiece } from '@drawbridge/pieces';
import {
  type CheckPortalLinkRequest,
  type EndUserServiceDefinition,
} from '@drawbridge/proto/drawbridge/connections/v1/end_users';
import {
  type InviteEndUserRequest,
  PortalLimitsDefaults,
  type PortalToken,
} from '@drawbridge/proto/drawbridge/connections/v1/portal_links';
import { type Implementation } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { type EndUserRow, type Transaction } from '../database.js';
import { changeOf, findEndUser } from './find-end-user.js';
import { type Parts } from '../parts.js';

type Links = Pick<Implementation<EndUserServiceDefinition>, 'createPortalToken' | 'inviteEndUser'>;

/** Creates links to the portal, which are returned to the caller or sent by email. */
export const portalLinks = (parts: Parts): Links => ({
  async createPortalToken({ id, ...wanted }) {
    const person = await findPerson(parts, id, wanted.integrationName);
    return linkFor(parts, person, { wanted });
  },

  inviteEndUser: (request) => invite(parts, request),
});

async function invite(
  parts: Parts,
  { id, email: given, organizationName: organization, language, ...wanted }: InviteEndUserRequest,
): Promise<PortalToken> {
  const email = toEmail(given);
  const person = await findPerson(parts, id, wanted.integrationName);
  const { mails } = parts;
  if (!mails)
    throw new ApiError(
      'EMAIL_NOT_CONFIGURED',
      'No mail server is configured (SMTP_URL). Create a connect token and send it to the end user yourself',
    );
  return linkFor(parts, person, {
    wanted: { ...wanted, email },
    then: (tx, link) => mails.announce(tx, { id: link.id, orgId: person.orgId, email, organization, language }),
  });
}

/**
 * Returns the end user who receives a link. Throws VALIDATION_ERROR (integration), NOT_FOUND, SCOPE_DENIED, and FORBIDDEN if the workspace is
 * suspended.
 */
async function findPerson(
  { db, workspaces }: Parts,
  id: string,
  integrationName: string | undefined,
): Promise<EndUserRow> {
  if (integrationName !== undefined) requireConnectable(integrationName);
  const person = await findEndUser(db, id);
  await workspaces.require(person.workspaceId);
  return person;
}

function requireConnectable(integrationName: string): void {
  const piece = findPiece(integrationName);
  if (!piece) throw invalid({ integrationName: `the integration ${integrationName} does not exist` });
  if (!piece.auth?.types.length)
    throw invalid({ integrationName: `${integrationName} needs no connection. Configure it without one` });
}

interface Wanted {
  wanted: Partial<Omit<PortalFacts, 'orgId' | 'endUserId'>>;
  /** Runs in the transaction that stores the link. */
  then?(tx: Transaction, link: NewPortalToken): Promise<void>;
}

async function linkFor({ db, outbox }: Parts, person: EndUserRow, { wanted, then }: Wanted): Promise<PortalToken> {
  const { id: endUserId, orgId } = person;
  const { expiresIn = PortalLimitsDefaults.expiresIn, integrationName, email } = wanted;
  return db.$transaction(async (tx) => {
    const link = await newPortalToken(tx, { orgId, endUserId, integrationName, email, expiresIn });
    await then?.(tx, link);
    await outbox.record(tx, changeOf(person));
    return { token: link.token, expiresAt: link.expiresAt.toISOString() };
  });
}

/** Maximum number of valid links of one end user. Older links are deleted. */
const MAX_TOKENS = 100;

/** The end user of a link, the integration that the page shows, and the lifetime in seconds. */
interface PortalFacts {
  orgId: string;
  /** The id of the stored end user, not the customer's externalId. */
  endUserId: string;
  /** The only integration that the portal shows. Absent if the portal shows all integrations. */
  integrationName?: string;
  expiresIn: number;
  /** The address that the link is emailed to. */
  email?: string;
}

interface NewPortalToken {
  id: string;
  /** The token, which is returned only once, in the link. The database stores its SHA-256 hash. */
  token: string;
  expiresAt: Date;
}

/** Creates a link that expires by the clock of the database. Throws NOT_FOUND if the end user was deleted. */
async function newPortalToken(
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

/** Returns true if a link has not expired and belongs to the end user with this externalId. */
export async function isPortalLink(
  pool: Pool,
  { orgId, linkId, placeId, externalId }: CheckPortalLinkRequest,
): Promise<boolean> {
  const values = [orgId, linkId, placeId, externalId];
  const { rowCount } = await pool.query({ name: 'find-link-of-end-user', text: FIND, values });
  return rowCount === 1;
}
