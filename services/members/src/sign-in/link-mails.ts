import { newId } from '@drawbridge/contracts';
import { type Task } from '@drawbridge/jobs';
import { type SendMail } from '@drawbridge/mail';
import { type PrismaClient as Db } from '../gen/prisma/client.js';
import { linkMail } from './link-mail.js';
import { storeLink } from './stored-links.js';

/** A request for a sign-in link. It has no token, because the queue's table would store it. */
export interface WantedLink {
  email: string;
  next: string;
  language: string;
}

/** After an outage of the mail server that is longer than this, the mail is no longer useful. */
const WAIT_MS = 30 * 60_000;

/** Mails a link if the address belongs to a user, else nothing. Each attempt creates a new link. */
export function linkMails({ db, send, baseUrl }: { db: Db; send: SendMail; baseUrl: string }) {
  const task: Task<WantedLink & { askedAt: string }> = async ({ email, next, language, askedAt }) => {
    if (Date.parse(askedAt) + WAIT_MS < Date.now()) return;
    const user = await db.user.findUnique({ where: { email } });
    if (!user) return;
    const query = new URLSearchParams({ token: await storeLink(db, user.id), next });
    const mail = linkMail(`${baseUrl}/sign-in/link?${query}`, language);
    await send({ id: `sign-in.${newId()}`, to: email, ...mail });
  };
  return task;
}
