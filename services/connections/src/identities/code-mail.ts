import { randomInt } from 'node:crypto';
import { type Task } from '@drawbridge/jobs';
import { mailCodeBody, plainName, type SendMail } from '@drawbridge/mail';
import { type Db } from '../database.js';
import { addCode } from './email-proofs.js';

/** The payload of a mail's job: neither code nor email. */
export interface WantedCode {
  /** The id of the proof. */
  id: string;
  orgId: string;
  organization: string;
  language: string;
  mailId: string;
}

/** Mails a code if the email belongs to exactly one end user of the workspace, else nothing. Each attempt creates a new code. */
export function mailCode({ db, send }: { db: Db; send: SendMail }): Task<WantedCode> {
  return async ({ id, orgId, mailId, organization, language }) => {
    const code = String(randomInt(10 ** 8)).padStart(8, '0');
    const email = await addCode(db, { id, orgId, code });
    if (!email) return;
    await send({ id: `code.${mailId}`, to: email, ...codeMail({ organization, code, language }) });
  };
}

/** Builds the mail with a code. The organization's name is user input: the mail shows it as text. */
export function codeMail({ organization, code, language }: { organization: string; code: string; language: string }) {
  const words = language === 'de' ? GERMAN : ENGLISH;
  const name = plainName(organization);
  const shown = `${code.slice(0, 4)} ${code.slice(4)}`;
  const said = { language: words.language, before: words.before(name), code: shown, after: words.after };
  return { subject: words.subject(name), ...mailCodeBody(said) };
}

const ENGLISH = {
  language: 'en',
  subject: (name: string) => `Your code for ${name}`,
  before: (name: string) => `Somebody wants to let a program act for you at ${name}. If that is you, enter this code:`,
  after:
    'It works for 10 minutes, in the browser in which it was asked for. Tell it to nobody. If it was not you, you need not do anything.',
};

const GERMAN: typeof ENGLISH = {
  language: 'de',
  subject: (name) => `Ihr Code für ${name}`,
  before: (name) =>
    `Jemand möchte einem Programm erlauben, bei ${name} für Sie zu handeln. Wenn Sie das sind, geben Sie diesen Code ein:`,
  after:
    'Er gilt 10 Minuten, in dem Browser, in dem er verlangt wurde. Geben Sie ihn niemandem weiter. Wenn Sie das nicht waren, brauchen Sie nichts zu tun.',
};
