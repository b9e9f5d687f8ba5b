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
  /** The mail is enqueued when the transaction commits, and is retried from then on, across restarts. Throws RATE_LIMITED. */
  announce(tx: Transaction, wanted: { email: string } & Omit<Wanted, 'mailId'>): Promise<void>;
  /** Enqueues the mail of a code. The caller has counted it against the limits already. */
  announceCode(tx: Transaction, wanted: Omit<WantedCode, 'mailId'>): Promise<void>;
}

/** The payload of a mail's job. */
interface Wanted {
  /** The id of the link. */
  id: string;
  orgId: string;
  organization: string;
  language: string;
  /** The same in every attempt. It differs from the link's id, because a mail's headers reach more systems than its text. */
  mailId: string;
}

const SENT: SentMails = { table: 'connections.sent_mails', bounds: { pair: 5, address: 20, organization: 5_000 } };

export const OLD_MAILS: RetentionRule = oldMails(SENT);

/** Sends mails to end users, from a queue that all replicas share. */
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
 * Mails a link to its end user. Each attempt creates a new token, because the queue's table would store a shared one. All of them work, because a
 * server that failed may have delivered the mail.
 */
function mailLink({ db, send, baseUrl }: Pick<Parts, 'db' | 'send' | 'baseUrl'>): Task<Wanted> {
  return async ({ id, orgId, mailId, ...said }) => {
    const token = newToken(PORTAL_TOKEN);
    const [link] = await db.$queryRaw<{ email: string; expiresAt: Date }[]>`
      UPDATE connections.portal_tokens SET token_hashes = array_append(token_hashes, ${hashToken(token)})
      WHERE org_id = ${orgId}::uuid AND id = ${id}::uuid AND expires_at > now()
      RETURNING email, expires_at AS "expiresAt"`;
    if (!link) return; // the link has expired, or was deleted with its end user
    const { email, expiresAt } = link;
    const mail = portalMail({ ...said, expiresAt, link: `${baseUrl}/connect/portal?token=${token}` });
    await send({ id: `portal.${mailId}`, to: email, ...mail });
  };
}
