import { ApiError, invalid } from '@drawbridge/contracts';
import { type Outbox } from '@drawbridge/events';
import { toEmail } from '@drawbridge/mail';
import { findPiece } from '@drawbridge/pieces';
import { type EndUserServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/end_users';
import {
  type InviteEndUserRequest,
  type PortalToken,
  PortalLimitsDefaults,
} from '@drawbridge/proto/drawbridge/connections/v1/portal_links';
import { type Implementation } from '@drawbridge/rpc';
import { type Db, type EndUserRow, type Transaction } from '../database.js';
import { type WorkspaceChecks } from '../workspaces.js';
import { changeOf, findEndUser } from './find-end-user.js';
import { type PortalMails } from './portal-mails.js';
import { newPortalToken, type NewPortalToken, type PortalFacts } from './portal-tokens.js';

interface Parts {
  db: Db;
  workspaces: WorkspaceChecks;
  outbox: Outbox;
  /** Undefined if no mail is configured. */
  mails?: Pick<PortalMails, 'announce'>;
}

type Links = Pick<Implementation<EndUserServiceDefinition>, 'createPortalToken' | 'inviteEndUser'>;

/** Creates links to the portal: returned to the caller, or sent by mail. */
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
  if (!mails) throw new ApiError('EMAIL_NOT_CONFIGURED', 'No mail is sent from here: pass a connect token on instead');
  return linkFor(parts, person, {
    wanted: { ...wanted, email },
    then: (tx, link) => mails.announce(tx, { id: link.id, orgId: person.orgId, email, organization, language }),
  });
}

/** Throws VALIDATION_ERROR, NOT_FOUND, SCOPE_DENIED, and FORBIDDEN in a suspended workspace. */
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
  if (!piece) throw invalid({ integrationName: `there is no integration ${integrationName}` });
  if (!piece.auth?.types.length) throw invalid({ integrationName: `${integrationName} uses no connection` });
}

interface Wanted {
  wanted: Partial<Omit<PortalFacts, 'orgId' | 'endUserId'>>;
  /** Further work in the same transaction. */
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
