import { codeMail, portalMail } from './end-user-mails.js';

const LINK = 'https://drawbridge.example/connect/portal?token=eut_x';
const SAID = { organization: 'Acme\r\nBcc: x', link: LINK, expiresAt: new Date('2026-12-01T10:00:00Z') };

it.each([
  ['en', 'Connect your accounts with Acme Bcc: x', 'works until 2026-12-01'],
  ['de', 'Ihre Konten mit Acme Bcc: x verbinden', 'gilt bis 2026-12-01'],
  ['fr', 'Connect your accounts with Acme Bcc: x', 'works until 2026-12-01'],
])('the email with a portal link names the organization and the expiry: %s', (language, subject, said) => {
  const mail = portalMail({ ...SAID, language });
  expect(mail.subject).toBe(subject);
  expect(mail.text).toContain(`: ${LINK}\n`);
  expect(mail.html).toContain(`href="${LINK}"`);
  for (const part of [mail.text, mail.html]) expect(part).toContain(said);
});

it.each([
  ['en', 'Your code for Acme Bcc: x', 'works for 10 minutes'],
  ['de', 'Ihr Code für Acme Bcc: x', 'gilt 10 Minuten'],
])('the email has the code, its lifetime, and names as plain text: %s', (language, subject, said) => {
  const mail = codeMail({ organization: 'Acme\nBcc: x', code: '01234567', language });
  expect(mail.subject).toBe(subject);
  for (const part of [mail.text, mail.html]) {
    expect(part).toContain('0123 4567');
    expect(part).toContain(said);
  }
  expect(codeMail({ organization: '<b>x', code: '01234567', language }).html).not.toContain('<b>x');
});
