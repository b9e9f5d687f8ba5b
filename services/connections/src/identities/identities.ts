import { ApiError } from '@drawbridge/contracts';
import { type Outbox } from '@drawbridge/events';
import { toEmail } from '@drawbridge/mail';
import {
  type EmailCodeSent,
  type IdentityServiceDefinition,
  type SendEmailCodeRequest,
} from '@drawbridge/proto/drawbridge/connections/v1/identities';
import { type Implementation } from '@drawbridge/rpc';
import { type Db } from '../database.js';
import { type PortalMails } from '../end-users/portal-mails.js';
import { type WorkspaceChecks } from '../workspaces.js';
import { type FindCandidates } from '../find-candidates.js';
import { newProof, tryCode } from './email-proofs.js';
import { findPeople, toIdentity } from './find-identity.js';
import { identify } from './identify.js';
import { nameAccounts } from './name-accounts.js';

export interface IdentityParts {
  db: Db;
  workspaces: WorkspaceChecks;
  outbox: Outbox;
  find: FindCandidates;
  /** Undefined if no mail is configured. */
  mails?: Pick<PortalMails, 'announceCode'>;
}

/** Identifies the end users who authorize programs. */
export const identities = (parts: IdentityParts): Implementation<IdentityServiceDefinition> => ({
  sendEmailCode: (request) => sendCode(parts, request),

  async proveEmail(request) {
    return { isProven: await tryCode(parts.db, request) };
  },

  async getIdentity(request) {
    return toIdentity(await findPeople(parts.db, request));
  },

  nameAccounts: (request) => nameAccounts(parts, request),

  identify: (request) => identify(parts, request),
});

/** The mail's job looks up the owner of the email, so that the response time does not reveal whether there is one. */
async function sendCode(
  { db, workspaces, mails }: IdentityParts,
  {
    email: given,
    orgId,
    placeId: workspaceId,
    flowHash,
    organizationName: organization,
    language,
    ...from
  }: SendEmailCodeRequest,
): Promise<EmailCodeSent> {
  if (!mails) throw new ApiError('EMAIL_NOT_CONFIGURED', 'No mail is sent from here');
  const email = toEmail(given);
  await db.$transaction(async (tx) => {
    await workspaces.requireNotDeleted(tx, workspaceId);
    const id = await newProof(tx, { orgId, workspaceId, flowHash, email, ...from });
    await mails.announceCode(tx, { id, orgId, organization, language });
  });
  return {};
}
