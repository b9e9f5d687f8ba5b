import { jobs } from '@drawbridge/jobs';
import { type Background, type Logger } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { type Invitation, type Prisma, type PrismaClient as Db } from './gen/prisma/client.js';
import { invitationMail } from './invitation-mail.js';
import { type SendMail } from './mail.js';

interface Parts {
  db: Db;
  pool: Pool;
  log: Logger;
  send: SendMail;
  baseUrl: string;
}

export interface InvitationMails extends Background {
  /** The mail exists when the transaction commits, and is tried from then on, across restarts. */
  announce(tx: Prisma.TransactionClient, invitation: Invitation): Promise<void>;
}

export function invitationMails({ db, pool, log, send, baseUrl }: Parts): InvitationMails {
  const invitationMailTask = async ({ id, orgId }: { id: string; orgId: string }): Promise<void> => {
    const invitation = await findOpen(db, id, orgId);
    if (!invitation) return; // canceled or accepted since, or it was never delivered in time
    const link = `${baseUrl}/sign-up?invitation=${id}`;
    await send({ id: `invitation.${id}`, to: invitation.email, ...invitationMail({ ...invitation, link }) });
  };
  const queue = jobs({ service: 'members', pool, log, tasks: { invitationMail: invitationMailTask } });
  return {
    start: () => queue.start(),
    stop: (deadline) => queue.stop(deadline),
    announce: (tx, { id, orgId }) => queue.enqueue(tx, 'invitationMail', { id, orgId }, { key: id }),
  };
}

interface Open {
  email: string;
  expiresAt: Date;
  organization: string;
}

async function findOpen(db: Db, id: string, orgId: string): Promise<Open | undefined> {
  const [open] = await db.$queryRaw<Open[]>`
    SELECT i.email, i.expires_at AS "expiresAt", o.name AS organization
    FROM members.invitations i JOIN members.organizations o ON o.id = i.org_id
    WHERE i.id = ${id}::uuid AND i.org_id = ${orgId}::uuid AND i.status = 'pending' AND i.expires_at > now()`;
  return open;
}
