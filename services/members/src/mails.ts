import { randomUUID } from 'node:crypto';
import { newId } from '@drawbridge/contracts';
import { jobs, type Task } from '@drawbridge/jobs';
import {
  type ConfiguredMail,
  type MailBrand,
  type MailLanguage,
  mailWithLink,
  plainName,
  toMailLanguage,
} from '@drawbridge/mail';
import { type Background } from '@drawbridge/rpc';
import { type Parts } from './parts.js';
import { newLinkToken } from './accept-invitation.js';
import { type PrismaClient as Db, type Invitation, type Prisma } from './gen/prisma/client.js';
import { storeLink } from './sign-in/links.js';

type Needs = Pick<Parts, 'db' | 'pool' | 'log'> & ConfiguredMail;
type Sending = Omit<Needs, 'pool' | 'log'>;

export interface Mails extends Background {
  /** Enqueues the email of an invitation in the transaction. It is sent after the commit, and retried even across restarts. */
  announce(tx: Prisma.TransactionClient, invitation: Invitation): Promise<void>;
  /**
   * Enqueues a sign-in link. Takes the same time for every address, so that it does not reveal whether an account exists. At most one email for each
   * address is queued.
   */
  mailLink(wanted: WantedLink): Promise<void>;
}

/** Sends the emails of the members service, from a queue that all replicas share. */
export function mails({ pool, log, ...parts }: Needs): Mails {
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

/**
 * Emails an invitation. Each attempt creates a new link, because a token that all attempts use would have to be stored in the table of the queue. All
 * links work, because a mail server that reported a failure may have delivered the email.
 */
function invitationMails({ db, send, baseUrl, language }: Sending): Task<Invited> {
  return async ({ id, orgId, mailId = randomUUID() }) => {
    const { token, hash } = newLinkToken();
    const invitation = await addToken(db, { id, orgId, hash });
    if (!invitation) return; // The invitation was canceled or accepted, or has expired.
    const link = `${baseUrl}/sign-up?invitation=${token}`;
    const { email, expiresAt, organization: name, color } = invitation;
    const mail = invitationMail({ brand: { name, color: color ?? undefined }, expiresAt, link, language });
    await send({ id: `invitation.${mailId}`, to: email, ...mail });
  };
}

/** The payload of the job that emails an invitation. */
interface Invited {
  id: string;
  orgId: string;
  /**
   * The id in the headers of the email, which is equal in every attempt. It differs from the id of the invitation, because headers reach more systems
   * than the text.
   */
  mailId?: string;
}

interface OpenInvitation {
  email: string;
  expiresAt: Date;
  organization: string;
  color: string | null;
}

async function addToken(
  db: Db,
  { id, orgId, hash }: { id: string; orgId: string; hash: string },
): Promise<OpenInvitation | undefined> {
  const [open] = await db.$queryRaw<OpenInvitation[]>`
    UPDATE members.invitations i SET token_hashes = array_append(i.token_hashes, ${hash})
    FROM members.organizations o LEFT JOIN members.brands b ON b.org_id = o.id WHERE o.id = i.org_id
      AND i.id = ${id}::uuid AND i.org_id = ${orgId}::uuid AND i.status = 'pending' AND i.expires_at > now()
    RETURNING i.email, i.expires_at AS "expiresAt", o.name AS organization, b.color`;
  return open;
}

interface InvitationMail {
  brand: MailBrand;
  link: string;
  expiresAt: Date;
  language: MailLanguage;
}

/** Returns the email of an invitation. Names are user input, so the email shows them as plain text. */
export function invitationMail({ brand, link, expiresAt, language }: InvitationMail) {
  const words = INVITATION[language](plainName(brand.name), expiresAt.toISOString().slice(0, 10));
  return mailWithLink({ ...words, language, brand, link });
}

const INVITATION = {
  en: (name: string, until: string) => ({
    subject: `Join ${name} on Drawbridge`,
    before: `You are invited to join ${name} on Drawbridge.`,
    label: 'Accept the invitation',
    after: `The invitation is for this email address and works until ${until}. If you do not know ${name}, ignore this email.`,
  }),
  de: (name: string, until: string) => ({
    subject: `${name} bei Drawbridge beitreten`,
    before: `Sie sind eingeladen, ${name} bei Drawbridge beizutreten.`,
    label: 'Einladung annehmen',
    after: `Die Einladung gilt für diese E-Mail-Adresse bis ${until}. Wenn Sie ${name} nicht kennen, ignorieren Sie diese E-Mail.`,
  }),
};

/** A request for a sign-in link. It contains no token, because the table of the queue would store it. */
interface WantedLink {
  email: string;
  next: string;
  language: string;
}

/** Maximum age of a request, in milliseconds. After a longer outage of the mail server the user no longer waits for the email, so it is not sent. */
const WAIT_MS = 30 * 60_000;

/** Emails a link if the address belongs to a user; otherwise sends nothing. Each attempt creates a new link. */
function linkMails({ db, send, baseUrl }: Sending): Task<WantedLink & { askedAt: string }> {
  return async ({ email, next, language, askedAt }) => {
    if (Date.parse(askedAt) + WAIT_MS < Date.now()) return;
    const user = await db.user.findUnique({ where: { email } });
    if (!user) return;
    const query = new URLSearchParams({ token: await storeLink(db, user.id), next });
    const mail = signInMail(`${baseUrl}/sign-in/link?${query}`, language);
    await send({ id: `sign-in.${newId()}`, to: email, ...mail });
  };
}

/** Returns the email with a sign-in link, in English unless `language` is German. */
export function signInMail(link: string, language: string) {
  const known = toMailLanguage(language);
  return mailWithLink({ ...SIGN_IN[known], language: known, link });
}

const SIGN_IN = {
  en: {
    subject: 'Sign in to Drawbridge',
    before: 'A sign-in link for Drawbridge was requested for this email address.',
    label: 'Sign in',
    after: 'It works once, for 15 minutes. If you did not request it, ignore this email: signing in needs the link.',
  },
  de: {
    subject: 'Bei Drawbridge anmelden',
    before: 'Für diese E-Mail-Adresse wurde ein Link zur Anmeldung bei Drawbridge angefordert.',
    label: 'Anmelden',
    after:
      'Er gilt einmal und 15 Minuten lang. Wenn Sie ihn nicht angefordert haben, ignorieren Sie diese E-Mail: Die Anmeldung erfordert den Link.',
  },
};
