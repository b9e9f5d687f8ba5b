import { createHash } from 'node:crypto';
import { ApiError, toBatchRun } from '@drawbridge/contracts';
import { type EventOf, type RetentionRule } from '@drawbridge/events';
import { type Queryable, type Task } from '@drawbridge/jobs';
import { type ConfiguredMail, oldMails, requireMailable, type SentMails } from '@drawbridge/mail';
import { findPiece } from '@drawbridge/pieces';
import { type ApprovalApprover } from '@drawbridge/proto/drawbridge/approvals/v1/policy';
import { type EndUserServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/end_users';
import { type MemberServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/members';
import { type OrganizationServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/organizations';
import { type Client, type Logger } from '@drawbridge/rpc';
import { type PoolClient } from 'pg';
import { type ApprovalRequest as Row, type PrismaClient as Db } from '../gen/prisma/client.js';
import { type LinkKeeper } from '../requests/approval-links.js';
import { codeRunTypeOf, fromApprovalId, isPending, toApprovalId } from '../requests/approval-request.js';
import { approvalMail, type Asks, batchRunMail } from './approval-mail.js';

/** The payload of the job that finds the recipients of an approval request. */
export type Asked = Pick<Row, 'id' | 'orgId'>;

/** The payload of the job that sends one email. It contains no address, so that a recipient who is removed while the job waits receives no email. */
export interface Addressed extends Asked {
  mailId: string;
}

export interface MailParts extends Directories {
  organizations: Pick<Client<OrganizationServiceDefinition>, 'getBrand'>;
  db: Db;
  log: Logger;
  links: LinkKeeper;
  /** Undefined if no mail server is configured. */
  mail?: ConfiguredMail;
}

/** Daily limits of the emails that agents can cause by creating approval requests. `pair` is the limit per organization and address. */
const SENT: SentMails = { table: 'approvals.sent_mails', bounds: { pair: 200, address: 500, organization: 5_000 } };

/** Stricter limits for addresses of end users, which are not verified. They reserve a part of `address` for the organization of the address owner. */
const UNPROVEN: SentMails = { ...SENT, bounds: { ...SENT.bounds, pair: 20, address: 100 } };

export const OLD_MAILS: RetentionRule = oldMails(SENT);

const APPROVERS = {
  name: 'people-of-request',
  text: `SELECT approvers FROM approvals.approval_requests WHERE org_id = $1 AND id = $2`,
};

/**
 * Enqueues a job for each new approval request if its policy names members or end users. The job finds the recipients outside of this transaction.
 */
export function noticeRequests(enqueue: (tx: Queryable, asked: Asked) => Promise<void>) {
  return async (events: EventOf<'approvalRequested'>[], tx: PoolClient): Promise<void> => {
    for (const { orgId, payload } of events) {
      const id = fromApprovalId(payload.value.approvalId);
      const { rows } = await tx.query<{ approvers: ApprovalApprover[] }>({ ...APPROVERS, values: [orgId, id] });
      if (rows[0]?.approvers.some(({ type }) => type !== 'webhook')) await enqueue(tx, { id, orgId });
    }
  };
}

/** Finds the recipients of a request and enqueues an email for each, so that a failure for one address does not affect other recipients. */
export function askPeople(
  parts: MailParts,
  enqueue: (tx: Queryable, addressed: Addressed) => Promise<void>,
): Task<Asked> {
  const { db, links, log, mail } = parts;
  return async ({ id, orgId }) => {
    const request = await findOpen(db, { id, orgId });
    if (!request || !mail) return;
    let leftOut = 0;
    for (const recipient of await recipientsOf(parts, request)) {
      if (linkFor(links, request, recipient) === undefined) continue;
      const addressed = { id, orgId, mailId: mailIdOf(id, recipient) };
      if (!(await address(db, { recipient, addressed, enqueue }))) leftOut += 1;
    }
    if (leftOut > 0)
      log.warn({ orgId, mails: leftOut }, 'emails about an approval were not sent: the daily limit is reached');
  };
}

interface Mailing {
  recipient: Recipient;
  addressed: Addressed;
  enqueue(tx: Queryable, addressed: Addressed): Promise<void>;
}

/**
 * Enqueues the email, once even if the job is repeated. Returns false if a daily limit is reached. The approver can then still find the request in
 * the list of approval requests.
 */
async function address(db: Db, { recipient, addressed, enqueue }: Mailing): Promise<boolean> {
  const { email, canSignIn } = recipient;
  const { orgId, mailId } = addressed;
  try {
    await db.$transaction(async (tx) => {
      await requireMailable(tx, canSignIn ? SENT : UNPROVEN, { orgId, email });
      const noted = await tx.$executeRaw`
        INSERT INTO approvals.sent_mails (id, org_id, email) VALUES (${mailId}::uuid, ${orgId}::uuid, ${email}) ON CONFLICT DO NOTHING`;
      if (noted > 0) await enqueue(tx, addressed);
    });
    return true;
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'RATE_LIMITED') throw error;
    return false;
  }
}

/** Sends the email, unless the approval request is already decided or has expired. */
export function mailApproval({ db, links, mail, organizations, ...directories }: MailParts): Task<Addressed> {
  return async ({ id, orgId, mailId }) => {
    const request = await findOpen(db, { id, orgId });
    if (!request || !mail) return;
    const recipient = (await recipientsOf(directories, request)).find((one) => mailIdOf(id, one) === mailId);
    const link = recipient && linkFor(links, request, recipient);
    if (!link) return;
    const said = { expiresAt: request.expiresAt, link: mail.baseUrl + link.path, isHosted: link.isHosted };
    const look = { brand: await organizations.getBrand({ orgId }), language: mail.language };
    await mail.send({ id: `approval.${mailId}`, to: recipient.email, ...mailAbout(request, { ...said, ...look }) });
  };
}

function mailAbout(request: Row, asks: Asks) {
  if (codeRunTypeOf(request) !== 'mcp_code_batch_run') return approvalMail({ ...namesOf(request), ...asks });
  const inputPreview = request.inputPreview as Record<string, unknown>;
  return batchRunMail({ ...asks, run: toBatchRun({ id: toApprovalId(request.id), inputPreview }) });
}

/** Returns the display names of the integration and the action. */
function namesOf({ integrationName, actionName }: Row) {
  const piece = findPiece(integrationName);
  const action = piece && Object.hasOwn(piece.actions, actionName) ? piece.actions[actionName] : undefined;
  return { integration: piece?.displayName ?? integrationName, action: action?.displayName ?? actionName };
}

/** Prefers the link with sign-in if the recipient can sign in and the policy allows it, because the audit log then contains the approver. */
function linkFor(links: LinkKeeper, request: Row, { canSignIn }: Recipient) {
  const { approvalUrl, hostedApprovalUrl } = links.linksTo(request);
  if (canSignIn && approvalUrl !== undefined) return { path: approvalUrl, isHosted: false };
  return hostedApprovalUrl === undefined ? undefined : { path: hostedApprovalUrl, isHosted: true };
}

async function findOpen(db: Db, { id, orgId }: Asked): Promise<Row | null> {
  return (await isPending(db, { id, orgId })) ? db.approvalRequest.findFirst({ where: { id, orgId } }) : null;
}

/**
 * Returns an id of the email that is equal in every attempt. It is a hash, because the id of the request must not appear in the headers of an email,
 * which are less private than its body.
 */
function mailIdOf(id: string, { email }: Recipient): string {
  return createHash('sha256').update(`${id} ${email}`).digest('hex').slice(0, 32);
}

interface Directories {
  members: Pick<Client<MemberServiceDefinition>, 'listAddresses'>;
  endUsers: Pick<Client<EndUserServiceDefinition>, 'getEndUserAddress'>;
}

interface Recipient {
  email: string;
  /** True for members of the organization. End users cannot sign in. */
  canSignIn: boolean;
}

/**
 * Returns the recipients without duplicates. They are sorted by address, because transactions that lock addresses in the same order cannot deadlock.
 */
export async function recipientsOf({ members, endUsers }: Directories, request: Row): Promise<Recipient[]> {
  const { orgId, workspaceId: placeId, endUserId } = request;
  const approvers = request.approvers as unknown as ApprovalApprover[];
  const roles = approvers.flatMap(({ roles: named = [] }) => named);
  const userIds = approvers.flatMap(({ userIds: named = [] }) => named);
  const found = new Map<string, Recipient>();
  if (endUserId !== null && approvers.some(({ type }) => type === 'end_user')) {
    const { email } = await endUsers.getEndUserAddress({ orgId, placeId, externalId: endUserId });
    if (email !== undefined) found.set(email, { email, canSignIn: false });
  }
  if (roles.length + userIds.length > 0) {
    const { emails } = await members.listAddresses({ orgId, placeId, roles, userIds });
    for (const email of emails) found.set(email, { email, canSignIn: true });
  }
  return [...found.values()].sort((one, other) => (one.email < other.email ? -1 : 1));
}
