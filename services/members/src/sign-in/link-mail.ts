import { mailBody } from '@drawbridge/mail';

/** Builds the mail with a sign-in link, in English unless `language` is German. */
export function linkMail(link: string, language: string) {
  const words = language === 'de' ? GERMAN : ENGLISH;
  const { subject, before, label, after } = words;
  return {
    subject,
    ...mailBody({ language: words.language, before, link, label: { text: label, html: label }, after }),
  };
}

const ENGLISH = {
  language: 'en',
  subject: 'Sign in to Drawbridge',
  before: 'Somebody asked for a link to sign in to Drawbridge with this email address.',
  label: 'Sign in',
  after: 'It works once, for 15 minutes. If it was not you, you need not do anything: without the link nobody gets in.',
};

const GERMAN: typeof ENGLISH = {
  language: 'de',
  subject: 'Bei Drawbridge anmelden',
  before: 'Jemand hat einen Link verlangt, um sich mit dieser E-Mail-Adresse bei Drawbridge anzumelden.',
  label: 'Anmelden',
  after:
    'Er gilt einmal und 15 Minuten lang. Wenn Sie das nicht waren, brauchen Sie nichts zu tun: Ohne den Link kommt niemand hinein.',
};
