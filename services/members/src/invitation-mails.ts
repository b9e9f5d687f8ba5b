import { randomUUID } from 'node:crypto';
import { type Task } from '@drawbridge/jobs';
import { type SendMail } from '@drawbridge/mail';
import { type PrismaClient as Db } from './gen/prisma/client.js';
import { invitationMail } from './invitation-mail.js';
import { newLinkToken } from './invitation-tokens.js';

/**
 * Mails an invitation. Each attempt creates a new link, because the queue's table would store a shared token. All of them work, because a server that
 * failed may have delivered the mail.
 */
export function invitationMails({ db, send, baseUrl }: { db: Db; send: SendMail; baseUrl: string }) {
  const task: Task<Invited> = async ({ id, orgId, mailId = randomUUID() }) => {
    const { token, hash } = newLinkToken();
    const invitation = await addToken(db, { id, orgId, hash });
    if (!invitation) return; // canceled or accepted since, or it was never delivered in time
    const link = `${baseUrl}/sign-up?invitation=${token}`;
    await send({ id: `invitation.${mailId}`, to: invitation.email, ...invitationMail({ ...invitation, link }) });
  };
  return task;
}

/** The payload of a mail's job. */
export interface Invited {
  id: string;
  orgId: string;
  /** The same in every attempt. It differs from the invitation's id, because a mail's headers reach more systems than its text. */
  mailId?: string;
}

interface Open {
  email: string;
  expiresAt: Date;
  organization: string;
}

async function addToken(
  db: Db,
  { id, orgId, hash }: { id: string; orgId: string; hash: string },
): Promise<Open | undefined> {
  const [open] = await db.$queryRaw<Open[]>`
    UPDATE members.invitations i SET token_hashes = array_append(i.token_hashes, ${hash})
    FROM members.organizations o WHERE o.id = i.org_id
      AND i.id = ${id}::uuid AND i.org_id = ${orgId}::uuid AND i.status = 'pending' AND i.expires_at > now()
    RETURNING i.email, i.expires_at AS "expiresAt", o.name AS organization`;
  return open;
}
