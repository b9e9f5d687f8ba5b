import { randomInt, randomUUID } from 'node:crypto';
import { hashToken, newId, newToken, PORTAL_TOKEN } from '@drawbridge/contracts';
import { jobs, type Task } from '@drawbridge/jobs';
import {
  type ConfiguredMail,
  mailWithCode,
  mailWithLink,
  plainName,
  requireMailable,
  type SentMails,
  toMailLanguage,
} from '@drawbridge/mail';
import { type Background } from '@drawbridge/rpc';
import { type Transaction } from '../database.js';
import { addCode } from '../identities/email-codes.js';
import { type Parts } from '../parts.js';

type Needs = Pick<Parts, 'db' | 'pool' | 'log' | 'findColor'> & ConfiguredMail;

export interface EndUserMails extends Background {
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

/** Sends mails to end users, from a queue that all replicas share. */
export function endUserMails({ db, pool, log, findColor, send, baseUrl }: Needs): EndUserMails {
  const tasks = {
    portalMail: mailLink({ db, findColor, send, baseUrl }),
    emailCodeMail: mailCode({ db, findColor, send }),
  };
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
function mailLink({
  db,
  findColor,
  send,
  baseUrl,
}: Pick<Needs, 'db' | 'findColor' | 'send' | 'baseUrl'>): Task<Wanted> {
  return async ({ id, orgId, mailId, ...said }) => {
    const token = newToken(PORTAL_TOKEN);
    const [link] = await db.$queryRaw<{ email: string; expiresAt: Date }[]>`
      UPDATE connections.portal_tokens SET token_hashes = array_append(token_hashes, ${hashToken(token)})
      WHERE org_id = ${orgId}::uuid AND id = ${id}::uuid AND expires_at > now()
      RETURNING email, expires_at AS "expiresAt"`;
    if (!link) return; // the link has expired, or was deleted with its end user
    const { email, expiresAt } = link;
    const color = await findColor(orgId);
    const mail = portalMail({ ...said, color, expiresAt, link: `${baseUrl}/connect/portal?token=${token}` });
    await send({ id: `portal.${mailId}`, to: email, ...mail });
  };
}

interface PortalMail {
  organization: string;
  /** The colour of the organization. */
  color?: string;
  link: string;
  expiresAt: Date;
  language: string;
}

/** Builds the mail with a link to the portal, in English unless `language` is German. Names are user input: the mail shows them as text. */
export function portalMail({ organization: name, color, link, expiresAt, language }: PortalMail) {
  const known = toMailLanguage(language);
  const words = PORTAL_MAIL[known](plainName(name), expiresAt.toISOString().slice(0, 10));
  return mailWithLink({ ...words, language: known, brand: { name, color }, link });
}

const PORTAL_MAIL = {
  en: (name: string, until: string) => ({
    subject: `Connect your accounts with ${name}`,
    before: `${name} invites you to connect your accounts, and to see and disconnect them.`,
    label: 'Your connections',
    after: `The link works until ${until}. Do not share it: anyone with the link can manage your connections. If you do not know ${name}, ignore this email.`,
  }),
  de: (name: string, until: string) => ({
    subject: `Ihre Konten mit ${name} verbinden`,
    before: `${name} lädt Sie ein, Ihre Konten zu verbinden, anzusehen und zu trennen.`,
    label: 'Ihre Verbindungen',
    after: `Der Link gilt bis ${until}. Teilen Sie ihn nicht: Wer ihn hat, kann Ihre Verbindungen verwalten. Wenn Sie ${name} nicht kennen, ignorieren Sie diese E-Mail.`,
  }),
};

/** The payload of a mail's job: neither code nor email. */
interface WantedCode {
  /** The id of the proof. */
  id: string;
  orgId: string;
  organization: string;
  language: string;
  mailId: string;
}

/** Mails a code if the email belongs to exactly one end user of the workspace, else nothing. Each attempt creates a new code. */
function mailCode({ db, findColor, send }: Pick<Needs, 'db' | 'findColor' | 'send'>): Task<WantedCode> {
  return async ({ id, orgId, mailId, organization, language }) => {
    const code = String(randomInt(10 ** 8)).padStart(8, '0');
    const email = await addCode(db, { id, orgId, code });
    if (!email) return;
    const mail = codeMail({ organization, color: await findColor(orgId), code, language });
    await send({ id: `code.${mailId}`, to: email, ...mail });
  };
}

type CodeMail = Pick<PortalMail, 'organization' | 'color' | 'language'> & { code: string };

/** Builds the mail with a code. The organization's name is user input: the mail shows it as text. */
export function codeMail({ organization: name, color, code, language }: CodeMail) {
  const known = toMailLanguage(language);
  const words = CODE_MAIL[known](plainName(name));
  const shown = `${code.slice(0, 4)} ${code.slice(4)}`;
  return mailWithCode({ ...words, language: known, brand: { name, color }, code: shown });
}

const CODE_MAIL = {
  en: (name: string) => ({
    subject: `Your code for ${name}`,
    before: `An application asks for permission to act for you at ${name}. If you started this, enter this code:`,
    after:
      'It works for 10 minutes, in the browser that requested it. Do not share it. If you did not start this, ignore this email.',
  }),
  de: (name: string) => ({
    subject: `Ihr Code für ${name}`,
    before: `Eine Anwendung möchte bei ${name} für Sie handeln. Wenn Sie das begonnen haben, geben Sie diesen Code ein:`,
    after:
      'Er gilt 10 Minuten, in dem Browser, der ihn angefordert hat. Teilen Sie ihn nicht. Wenn Sie das nicht begonnen haben, ignorieren Sie diese E-Mail.',
  }),
};
