import { randomUUID } from 'node:crypto';
import { jobs } from '@drawbridge/jobs';
import { type SendMail } from '@drawbridge/mail';
import { type Background, type Logger } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { type Invitation, type Prisma, type PrismaClient as Db } from './gen/prisma/client.js';
import { invitationMails } from './invitation-mails.js';
import { linkMails, type WantedLink } from './sign-in/link-mails.js';

interface Parts {
  db: Db;
  pool: Pool;
  log: Logger;
  send: SendMail;
  baseUrl: string;
}

export interface Mails extends Background {
  /** The mail is enqueued when the transaction commits, and is retried from then on, across restarts. */
  announce(tx: Prisma.TransactionClient, invitation: Invitation): Promise<void>;
  /** Takes the same time for every address, so that it does not reveal whether there is an account. At most one mail for an address waits. */
  mailLink(wanted: WantedLink): Promise<void>;
}

/** Sends the mails of members, from a queue that all replicas share. */
export function mails({ pool, log, ...parts }: Parts): Mails {
  const tasks = { invitationMail: invitationMails(parts), signInLinkMail: linkMails(parts) };
  const queue = jobs({ service: 'members', pool, log, tasks });
  return {
    start: () => queue.start(),
    stop: (deadline) => queue.stop(deadline),
    announce: (tx, { id, orgId }) =>
      queue.enqueue(tx, 'invitationMail', { id, orgId, mailId: randomUUID() }, { key: id, orgId }),
    mailLink: (wanted) =>
      queue.enqueue(pool, 'signInLinkMail', { ...wanted, askedAt: new Date().toISOString() }, { key: wanted.email }),
  };
}
