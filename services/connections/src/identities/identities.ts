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
  /** Undefined where no mail is sent. */
  mails?: Pick<PortalMails, 'announceCode'>;
}

/** Who lets programs in as an end user. */
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

/** Whose the email is, is looked up by who sends the mail: nobody learns it from how long this takes. */
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
