import { mailBody, plainName } from '@drawbridge/mail';

interface Said {
  organization: string;
  link: string;
  expiresAt: Date;
  /** English unless de. */
  language: string;
}

/** Builds the mail with a link to the portal. Names are user input: the mail shows them as text. */
export function portalMail({ organization, link, expiresAt, language }: Said) {
  const words = language === 'de' ? GERMAN : ENGLISH;
  const name = plainName(organization);
  return {
    subject: words.subject(name),
    ...mailBody({
      language: words.language,
      before: words.before(name),
      link,
      label: { text: words.label, html: words.label },
      after: words.after(name, expiresAt.toISOString().slice(0, 10)),
    }),
  };
}

const ENGLISH = {
  language: 'en',
  subject: (name: string) => `Connect your accounts with ${name}`,
  before: (name: string) => `${name} invites you to connect your accounts, and to see and end what is connected.`,
  label: 'Your connections',
  after: (name: string, until: string) =>
    `The link is for you alone and works until ${until}: whoever has it may do the same. If you do not know ${name}, you need not do anything.`,
};

const GERMAN: typeof ENGLISH = {
  language: 'de',
  subject: (name) => `Ihre Konten mit ${name} verbinden`,
  before: (name) => `${name} lädt Sie ein, Ihre Konten zu verbinden, und zu sehen und zu beenden, was verbunden ist.`,
  label: 'Ihre Verbindungen',
  after: (name, until) =>
    `Der Link ist für Sie allein und gilt bis ${until}: Wer ihn hat, kann dasselbe tun. Wenn Sie ${name} nicht kennen, brauchen Sie nichts zu tun.`,
};
