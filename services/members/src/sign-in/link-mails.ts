import { newId } from '@drawbridge/contracts';
import { type Task } from '@drawbridge/jobs';
import { type SendMail } from '@drawbridge/mail';
import { type PrismaClient as Db } from '../gen/prisma/client.js';
import { linkMail } from './link-mail.js';
import { storeLink } from './stored-links.js';

/** What somebody asked for. Without a token: the queue's table would keep it. */
export interface WantedLink {
  email: string;
  next: string;
  language: string;
}

/** While a mail server is away for longer, nobody waits for the mail any more. */
const WAIT_MS = 30 * 60_000;

/** Mails a link to who is a user, nothing to anybody else. Each attempt makes a link of its own. */
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
