import { type Task } from '@drawbridge/jobs';
import { type PrismaClient as Db } from './gen/prisma/client.js';
import { invitationMail } from './invitation-mail.js';
import { type SendMail } from './mail.js';

/** Mails an invitation to whom it is for. */
export function invitationMails({ db, send, baseUrl }: { db: Db; send: SendMail; baseUrl: string }) {
  const task: Task<{ id: string; orgId: string }> = async ({ id, orgId }) => {
    const invitation = await findOpen(db, id, orgId);
    if (!invitation) return; // canceled or accepted since, or it was never delivered in time
    const link = `${baseUrl}/sign-up?invitation=${id}`;
    await send({ id: `invitation.${id}`, to: invitation.email, ...invitationMail({ ...invitation, link }) });
  };
  return task;
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
