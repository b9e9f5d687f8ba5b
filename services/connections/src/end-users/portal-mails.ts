import { randomUUID } from 'node:crypto';
import { hashToken, newId, newToken, PORTAL_TOKEN } from '@drawbridge/contracts';
import { type RetentionRule } from '@drawbridge/events';
import { jobs, type Task } from '@drawbridge/jobs';
import { oldMails, requireMailable, type SendMail, type SentMails } from '@drawbridge/mail';
import { type Background, type Logger } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { type Db, type Transaction } from '../database.js';
import { mailCode, type WantedCode } from '../identities/code-mail.js';
import { portalMail } from './portal-mail.js';

interface Parts {
  db: Db;
  pool: Pool;
  log: Logger;
  send: SendMail;
  baseUrl: string;
}

export interface PortalMails extends Background {
  /** The mail exists when the transaction commits, and is tried from then on, across restarts. Throws RATE_LIMITED. */
  announce(tx: Transaction, wanted: { email: string } & Omit<Wanted, 'mailId'>): Promise<void>;
  /** Likewise, of a code: who asks for it has counted it. */
  announceCode(tx: Transaction, wanted: Omit<WantedCode, 'mailId'>): Promise<void>;
}

/** What the queue keeps of it. */
interface Wanted {
  /** Of the link. */
  id: string;
  orgId: string;
  organization: string;
  language: string;
  /** The same in every attempt. Not the id of the link: a mail's headers travel further than its text. */
  mailId: string;
}

const SENT: SentMails = { table: 'connections.sent_mails', bounds: { pair: 5, address: 20, organization: 5_000 } };

export const OLD_MAILS: RetentionRule = oldMails(SENT);

/** What is mailed to end users, from a queue that replicas share. */
export function portalMails({ db, pool, log, send, baseUrl }: Parts): PortalMails {
  const tasks = { portalMail: mailLink({ db, send, baseUrl }), emailCodeMail: mailCode({ db, send }) };
  const queue = jobs({ service: 'connections', pool, log, tasks });
  return {
    start: () => queue.start(),
    stop: (deadline) => queue.stop(deadline),
    async announce(tx, { email, ...wanted }) {
      const { id, orgId } = wanted;
      await requireMailable(tx, SENT, { orgId, email });
      await tx.sentMail.create({ data: { id: newId(), orgId, email } });
      await queue.enqueue(tx, 'portalMail', { ...wanted, mailId: randomUUID() }, { key: id, orgId });
    },
    announceCode: (tx, { id, orgId, ...wanted }) =>
      queue.enqueue(tx, 'emailCodeMail', { id, orgId, ...wanted, mailId: randomUUID() }, { key: id, orgId }),
  };
}

/**
 * Mails a link to whom it is for. Each attempt makes a token of its own, and all of them work: the queue's table would keep it, and
 * a server that failed may have delivered the mail.
 */
function mailLink({ db, send, baseUrl }: Pick<Parts, 'db' | 'send' | 'baseUrl'>): Task<Wanted> {
  return async ({ id, orgId, mailId, ...said }) => {
    const token = newToken(PORTAL_TOKEN);
    const [link] = await db.$queryRaw<{ email: string; expiresAt: Date }[]>`
      UPDATE connections.portal_tokens SET token_hashes = array_append(token_hashes, ${hashToken(token)})
      WHERE org_id = ${orgId}::uuid AND id = ${id}::uuid AND expires_at > now()
      RETURNING email, expires_at AS "expiresAt"`;
    if (!link) return; // it is over, or gone with its person
    const { email, expiresAt } = link;
    const mail = portalMail({ ...said, expiresAt, link: `${baseUrl}/connect/portal?token=${token}` });
    await send({ id: `portal.${mailId}`, to: email, ...mail });
  };
}
