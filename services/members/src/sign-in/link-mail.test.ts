import { linkMail } from './link-mail.js';

const LINK = 'https://drawbridge.example/sign-in/link?token=abc&next=%2Faccount';

it.each([
  ['en', 'Sign in to Drawbridge', 'It works once, for 15 minutes.'],
  ['de', 'Bei Drawbridge anmelden', 'Er gilt einmal und 15 Minuten lang.'],
  ['fr', 'Sign in to Drawbridge', 'It works once, for 15 minutes.'],
])('the mail with a link to sign in says how long it works: %s', (language, subject, said) => {
  const mail = linkMail(LINK, language);
  expect(mail.subject).toBe(subject);
  expect(mail.text).toContain(`: ${LINK}\n`);
  expect(mail.html).toContain(`href="${LINK.replace('&', '&amp;')}"`);
  for (const part of [mail.text, mail.html]) expect(part).toContain(said);
});
