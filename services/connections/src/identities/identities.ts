import { ApiError } from '@drawbridge/contracts';
import { toEmail } from '@drawbridge/mail';
import {
  type AccountNames,
  type AccountUse,
  type EmailCodeSent,
  type IdentityServiceDefinition,
  type NameAccountsRequest,
  type SendEmailCodeRequest,
} from '@drawbridge/proto/drawbridge/connections/v1/identities';
import { type Implementation } from '@drawbridge/rpc';
import { pickConnection } from '../select-connection.js';
import { newProof, tryCode } from './email-codes.js';
import { findPeople, identify, toIdentity } from './identify.js';
import { type Parts } from '../parts.js';

/** Implements the RPCs that identify the end user who authorizes a program, for example an AI agent, on the consent page. */
export const identities = (parts: Parts): Implementation<IdentityServiceDefinition> => ({
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

/** Enqueues a code. A background job finds the end user with the address, so that the response time does not reveal whether one exists. */
async function sendCode({ db, workspaces, mails }: Parts, request: SendEmailCodeRequest): Promise<EmailCodeSent> {
  if (!mails) throw new ApiError('EMAIL_NOT_CONFIGURED', 'Email codes need a mail server. Set SMTP_URL');
  const { email: given, placeId: workspaceId, organizationName: organization, language, ...asking } = request;
  const email = toEmail(given);
  await db.$transaction(async (tx) => {
    await workspaces.requireNotDeleted(tx, workspaceId);
    const id = await newProof(tx, { ...asking, workspaceId, email });
    await mails.announceCode(tx, { id, orgId: asking.orgId, organization, language });
  });
  return {};
}

/** Maximum number of integrations in one request, because each needs a query. */
const MAX_USES = 200;

/** Returns the display name of the connection that each use of an integration would select, for the consent page of a program. */
async function nameAccounts(
  { db, find }: Parts,
  { orgId, placeId: workspaceId, endUserId, uses }: NameAccountsRequest,
): Promise<AccountNames> {
  const pick = async ({ integrationName, connectionStrategy: strategy, connectionId }: AccountUse) => {
    const place = { orgId, workspaceId, integrationName, endUserId };
    const configuredId = strategy === 'per_user' ? undefined : connectionId;
    return pickConnection(find, place, { strategy, connectionId: configuredId });
  };
  const ids: (string | undefined)[] = [];
  for (const use of uses.slice(0, MAX_USES)) ids.push((await pick(use))?.id);
  const known = ids.filter((id) => id !== undefined);
  const rows = await db.connection.findMany({
    where: { orgId, id: { in: known } },
    select: { id: true, displayName: true },
  });
  const names = new Map(rows.map(({ id, displayName }) => [id, displayName]));
  return { accounts: uses.map((_, at) => ({ name: names.get(ids[at] ?? '') })) };
}
