import { createHash } from 'node:crypto';
import { ApiError } from '@drawbridge/contracts';
import { type EventOf, type RetentionRule } from '@drawbridge/events';
import { type Queryable, type Task } from '@drawbridge/jobs';
import { type ConfiguredMail, oldMails, requireMailable, type SentMails } from '@drawbridge/mail';
import { type ApprovalApprover } from '@drawbridge/proto/drawbridge/approvals/v1/policy';
import { type Logger } from '@drawbridge/rpc';
import { type PoolClient } from 'pg';
import { type ApprovalRequest as Row, type PrismaClient as Db } from '../gen/prisma/client.js';
import { isPending } from '../requests/is-pending.js';
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

/**
 * What an end user's record says is anybody's address: nobody is mailed without end there, and the most that strangers send leaves room for
 * what the organization of who has that address sends.
 */
const UNPROVEN: SentMails = { ...SENT, bounds: { ...SENT.bounds, pair: 20, address: 100 } };

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
    if (leftOut > 0) log.warn({ orgId, mails: leftOut }, 'mails about an approval were left out: too many today');
  };
}

interface Mailing {
  recipient: Recipient;
  addressed: Addressed;
  enqueue(tx: Queryable, addressed: Addressed): Promise<void>;
}

/**
 * False: who was mailed too much today is not mailed, and the list of requests has it all the same. Who is asked about a request for the
 * second time, for the task ended half way, is not mailed twice.
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
  return (await isPending(db, { id, orgId })) ? db.approvalRequest.findFirst({ where: { id, orgId } }) : null;
}

/** The same in every attempt. Not the request's id: a mail's headers travel further than its text. */
function mailIdOf(id: string, { email }: Recipient): string {
  return createHash('sha256').update(`${id} ${email}`).digest('hex').slice(0, 32);
}
