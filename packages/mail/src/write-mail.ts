import { type MailBrand, mailHtml } from './mail-html.js';
import { escaped } from './escaped.js';
import { plainName } from './plain-name.js';

/** The languages of emails. */
export type MailLanguage = keyof typeof FRAME;

interface Said {
  /** The subject, which is also the heading of the email. */
  subject: string;
  language: MailLanguage;
  /** The organization to which the email belongs. Default: the product. */
  brand?: MailBrand;
  /** `before` and `after` are one sentence each, before and after the link or code. Words that users supplied are escaped. */
  before: string;
  /** Lines between `before` and the link. */
  lines?: readonly string[];
  after: string;
}

export interface WrittenMail {
  subject: string;
  text: string;
  html: string;
}

/** Returns an email that contains one link, which is a button in HTML. */
export function mailWithLink({ link, label, ...said }: Said & { link: string; label: string }): WrittenMail {
  return write(said, { text: `${label}: ${link}`, html: { link, label } });
}

/** Returns an email that contains a code for the reader to enter. */
export function mailWithCode({ code, ...said }: Said & { code: string }): WrittenMail {
  return write(said, { text: code, html: { code } });
}

/** Returns the language in which an email is written: `language`, or English if emails have no translation into it. */
export function toMailLanguage(language: string): MailLanguage {
  return isMailLanguage(language) ? language : 'en';
}

export function isMailLanguage(language: string): language is MailLanguage {
  return Object.hasOwn(FRAME, language);
}

const FRAME = {
  en: {
    sender: (name: string) => `${name} sends this email with Drawbridge.`,
    orOpen: 'If the button does not work, open this link:',
  },
  de: {
    sender: (name: string) => `${name} sendet diese E-Mail mit Drawbridge.`,
    orOpen: 'Wenn die Schaltfläche nicht funktioniert, öffnen Sie diesen Link:',
  },
};

type Inner = { text: string; html: { link: string; label: string } | { code: string } };

function write({ subject, language, brand, before, lines = [], after }: Said, inner: Inner): WrittenMail {
  const name = brand && plainName(brand.name);
  const sender = name === undefined || name === '' ? undefined : FRAME[language].sender(name);
  const listed = lines.length > 0 ? [lines.join('\n')] : [];
  const footer = sender === undefined ? [] : [`-- \n${sender}`];
  return {
    subject,
    text: [before, ...listed, inner.text, after, ...footer].join('\n\n') + '\n',
    html: mailHtml({
      language,
      name: escaped(name || 'Drawbridge'),
      color: brand?.color,
      title: escaped(subject),
      paragraphs: [before, ...listed].map((text) => escaped(text).replaceAll('\n', '<br>\n')),
      action: toHtml(inner.html),
      orOpen: FRAME[language].orOpen,
      after: escaped(after),
      footer: sender === undefined ? undefined : escaped(sender),
    }),
  };
}

function toHtml(inner: Inner['html']): { link: string; label: string } | { code: string } {
  return 'code' in inner ? { code: escaped(inner.code) } : { link: escaped(inner.link), label: escaped(inner.label) };
}
