import { createHash } from 'node:crypto';
import { ApiError, newId } from '@drawbridge/contracts';
import { type EventOf, type RetentionRule } from '@drawbridge/events';
import { type Queryable, type Task } from '@drawbridge/jobs';
import { type ConfiguredMail, oldMails, requireMailable, type SentMails } from '@drawbridge/mail';
import { type ApprovalApprover } from '@drawbridge/proto/drawbridge/approvals/v1/policy';
import { describeError, type Logger } from '@drawbridge/rpc';
import { type PoolClient } from 'pg';
import { type ApprovalRequest as Row, type PrismaClient as Db } from '../gen/prisma/client.js';
import { type LinkKeeper } from '../requests/links.js';
import { fromApprovalId } from '../requests/request-ids.js';
import { approvalMail } from './approval-mail.js';
import { type Directories, type Recipient, recipientsOf } from './recipients.js';

/** What the queue keeps of a request that people are to be asked about. */
export interface Asked {
  id: string;
  orgId: string;
}

/** And of the mail to one of them: not where to, for who is deleted or named no more while it waits is nobody's to write to. */
export interface Addressed extends Asked {
  mailId: string;
}

export interface MailParts extends Directories {
  db: Db;
  log: Logger;
  links: LinkKeeper;
  /** Undefined where no mail is sent. */
  mail?: ConfiguredMail;
}

/** Nobody is mailed without end by agents that ask and ask. */
const SENT: SentMails = { table: 'approvals.sent_mails', bounds: { pair: 200, address: 500, organization: 5_000 } };

export const OLD_MAILS: RetentionRule = oldMails(SENT);

const APPROVERS = {
  name: 'people-of-request',
  text: `SELECT approvers FROM approvals.approval_requests WHERE org_id = $1 AND id = $2`,
};

/** Requests that were opened, for the people whom their policies name: who they are is asked later, outside of the transaction. */
export function noticeRequests(enqueue: (tx: Queryable, asked: Asked) => Promise<void>) {
  return async (events: EventOf<'approvalRequested'>[], tx: PoolClient): Promise<void> => {
    for (const { orgId, payload } of events) {
      const id = fromApprovalId(payload.value.approvalId);
      const { rows } = await tx.query<{ approvers: ApprovalApprover[] }>({ ...APPROVERS, values: [orgId, id] });
      if (rows[0]?.approvers.some(({ type }) => type !== 'webhook')) await enqueue(tx, { id, orgId });
    }
  };
}

/** Finds out who is asked, and has a mail of its own for each: what one server says of an address is nothing to the others. */
export function askPeople(
  parts: MailParts,
  enqueue: (tx: Queryable, addressed: Addressed) => Promise<void>,
): Task<Asked> {
  return async (asked) => {
    const request = await findOpen(parts.db, asked);
    if (!request || !parts.mail) return;
    for (const recipient of await recipientsOf(parts, request)) {
      if (linkFor(parts.links, request, recipient) === undefined) continue;
      const [{ id, orgId }, { email }] = [asked, recipient];
      await address(parts, { orgId, email }, (tx) => enqueue(tx, { id, orgId, mailId: mailIdOf(id, recipient) }));
    }
  };
}

/** Whoever was mailed too much today is not mailed: the list of requests has it all the same. */
async function address(
  { db, log }: MailParts,
  { orgId, email }: { orgId: string; email: string },
  enqueue: (tx: Queryable) => Promise<void>,
): Promise<void> {
  try {
    await db.$transaction(async (tx) => {
      await requireMailable(tx, SENT, { orgId, email });
      await tx.sentMail.create({ data: { id: newId(), orgId, email } });
      await enqueue(tx);
    });
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'RATE_LIMITED') throw error;
    log.warn({ error: describeError(error) }, 'a mail about an approval was left out: too many today');
  }
}

/** Nothing is sent once it is decided. */
export function mailApproval({ db, links, mail, ...directories }: MailParts): Task<Addressed> {
  return async ({ id, orgId, mailId }) => {
    const request = await findOpen(db, { id, orgId });
    if (!request || !mail) return;
    const recipient = (await recipientsOf(directories, request)).find((one) => mailIdOf(id, one) === mailId);
    const link = recipient && linkFor(links, request, recipient);
    if (!link) return;
    const { integrationName, actionName, expiresAt } = request;
    const said = { integrationName, actionName, expiresAt, link: mail.baseUrl + link.path, isHosted: link.isHosted };
    await mail.send({ id: `approval.${mailId}`, to: recipient.email, ...approvalMail(said) });
  };
}

interface Link {
  path: string;
  isHosted: boolean;
}

/** Who can sign in does, where the policy lets them: then it is known who decided. */
function linkFor(links: LinkKeeper, request: Row, { canSignIn }: Pick<Recipient, 'canSignIn'>): Link | undefined {
  const { approvalUrl, hostedApprovalUrl } = links.linksTo(request);
  if (canSignIn && approvalUrl !== undefined) return { path: approvalUrl, isHosted: false };
  return hostedApprovalUrl === undefined ? undefined : { path: hostedApprovalUrl, isHosted: true };
}

async function findOpen(db: Db, { id, orgId }: Asked): Promise<Row | null> {
  return db.approvalRequest.findFirst({ where: { id, orgId, status: 'pending', expiresAt: { gt: new Date() } } });
}

/** The same in every attempt. Not the request's id: a mail's headers travel further than its text. */
function mailIdOf(id: string, { email }: Recipient): string {
  return createHash('sha256').update(`${id} ${email}`).digest('hex').slice(0, 32);
}
