import { type MailLanguage } from '@drawbridge/mail';
import { invitationMail, signInMail } from './mails.js';

const LINK = 'https://drawbridge.example/sign-up?invitation=1';
const mailOf = (name: string, language: MailLanguage = 'en') =>
  invitationMail({ brand: { name }, link: LINK, expiresAt: new Date('2027-01-08T12:00:00Z'), language });

describe('the mail of an invitation', () => {
  it('names the organization, the lifetime and the link, as text and HTML', () => {
    const { subject, text, html } = mailOf('Acme');
    expect(subject).toBe('Join Acme on Drawbridge');
    for (const part of [text, html]) {
      expect(part).toContain('You are invited to join Acme on Drawbridge.');
      expect(part).toContain('2027-01-08');
      expect(part).toContain(LINK);
    }
  });

  it('is in German where the operator says so', () => {
    const { subject, text } = mailOf('Acme', 'de');
    expect(subject).toBe('Acme bei Drawbridge beitreten');
    expect(text).toContain(`Einladung annehmen: ${LINK}`);
    expect(text).toContain('bis 2027-01-08');
  });

  it.each([
    ['<b>"Acme" & \'Co\'</b>', '&lt;b&gt;&quot;Acme&quot; &amp; &#39;Co&#39;&lt;/b&gt;'],
    ['Acme\r\nBcc: bob@acme.example', 'Acme Bcc: bob[at]acme[.]example'],
    ['Acme, see https://evil.example/', 'Acme, see evil[.]example/'],
    ['Acme\u202Egnp.exe\u0000', 'Acme gnp[.]exe'],
  ])('shows the name of an organization as one line of text: %j', (name, shown) => {
    const { subject, text, html } = mailOf(name);
    expect(html).toContain(`join ${shown} on`);
    expect(subject).toMatch(/^Join [^\r\n\0\u202E]+ on Drawbridge$/);
    expect(text.split('\n')[0]).toMatch(/on Drawbridge\.$/);
  });
});

const SIGN_IN_LINK = 'https://drawbridge.example/sign-in/link?token=abc&next=%2Faccount';

it.each([
  ['en', 'Sign in to Drawbridge', 'It works once, for 15 minutes.'],
  ['de', 'Bei Drawbridge anmelden', 'Er gilt einmal und 15 Minuten lang.'],
  ['fr', 'Sign in to Drawbridge', 'It works once, for 15 minutes.'],
])('the email with a sign-in link names its lifetime: %s', (language, subject, said) => {
  const mail = signInMail(SIGN_IN_LINK, language);
  expect(mail.subject).toBe(subject);
  expect(mail.text).toContain(`: ${SIGN_IN_LINK}\n`);
  expect(mail.html).toContain(`href="${SIGN_IN_LINK.replace('&', '&amp;')}"`);
  for (const part of [mail.text, mail.html]) expect(part).toContain(said);
});
