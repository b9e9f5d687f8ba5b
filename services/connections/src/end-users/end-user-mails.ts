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
  /** Enqueues the email with a portal link. It is sent after the transaction commits, and retried even across restarts. Throws RATE_LIMITED. */
  announce(tx: Transaction, wanted: { email: string } & Omit<Wanted, 'mailId'>): Promise<void>;
  /** Enqueues the email with a code that verifies the address. The caller must already have counted the email towards the limits. */
  announceCode(tx: Transaction, wanted: Omit<WantedCode, 'mailId'>): Promise<void>;
}

/** The payload of the job that emails a portal link. */
interface Wanted {
  /** The id of the portal link. */
  id: string;
  orgId: string;
  organization: string;
  language: string;
  /**
   * The id in the headers of the email, which is equal in every attempt. It differs from the id of the link, because headers reach more systems than
   * the body.
   */
  mailId: string;
}

const SENT: SentMails = { table: 'connections.sent_mails', bounds: { pair: 5, address: 20, organization: 5_000 } };

/** Sends emails to end users from a queue that all processes share. */
export function endUserMails(needs: Needs): EndUserMails {
  const { pool, log } = needs;
  const tasks = { portalMail: mailLink(needs), emailCodeMail: mailCode(needs) };
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
 * Emails a portal link to its end user. Each attempt creates a new token, because a token that all attempts use would have to be stored in the table
 * of the queue. All tokens work, because an email may have been delivered although the mail server reported an error.
 */
function mailLink({ db, findColor, send, baseUrl }: Needs): Task<Wanted> {
  return async ({ id, orgId, mailId, ...said }) => {
    const token = newToken(PORTAL_TOKEN);
    const [link] = await db.$queryRaw<{ email: string; expiresAt: Date }[]>`
      UPDATE connections.portal_tokens SET token_hashes = array_append(token_hashes, ${hashToken(token)})
      WHERE org_id = ${orgId}::uuid AND id = ${id}::uuid AND expires_at > now()
      RETURNING email, expires_at AS "expiresAt"`;
    if (!link) return; // The link has expired, or was deleted with its end user.
    const { email, expiresAt } = link;
    const color = await findColor(orgId);
    const mail = portalMail({ ...said, color, expiresAt, link: `${baseUrl}/connect/portal?token=${token}` });
    await send({ id: `portal.${mailId}`, to: email, ...mail });
  };
}

interface PortalMail {
  organization: string;
  /** The brand color of the organization. */
  color?: string;
  link: string;
  expiresAt: Date;
  language: string;
}

/**
 * Builds the email with a link to the portal, in English unless `language` is German. Names are user input, so the email shows them as plain text.
 */
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

/** The payload of the job that emails a code. It contains neither the code nor the email address. */
interface WantedCode {
  /** The id of the row in `email_proofs`, the verification of an email address. */
  id: string;
  orgId: string;
  organization: string;
  language: string;
  mailId: string;
}

/** Emails a code if the address belongs to exactly one end user of the workspace, otherwise sends nothing. Each attempt creates a new code. */
function mailCode({ db, findColor, send }: Needs): Task<WantedCode> {
  return async ({ id, orgId, mailId, organization, language }) => {
    const code = String(randomInt(10 ** 8)).padStart(8, '0');
    const email = await addCode(db, { id, orgId, code });
    if (!email) return;
    const mail = codeMail({ organization, color: await findColor(orgId), code, language });
    await send({ id: `code.${mailId}`, to: email, ...mail });
  };
}

type CodeMail = Pick<PortalMail, 'organization' | 'color' | 'language'> & { code: string };

/** Builds the email with a code. The name of the organization is user input, so the email shows it as plain text. */
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
