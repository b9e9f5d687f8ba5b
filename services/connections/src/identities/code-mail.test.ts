import { codeMail } from './code-mail.js';

it.each([
  ['en', 'Your code for Acme Bcc: x', 'works for 10 minutes'],
  ['de', 'Ihr Code für Acme Bcc: x', 'gilt 10 Minuten'],
])('says the code, for how long it works, and others’ names as text: %s', (language, subject, said) => {
  const mail = codeMail({ organization: 'Acme\nBcc: x', code: '01234567', language });
  expect(mail.subject).toBe(subject);
  for (const part of [mail.text, mail.html]) {
    expect(part).toContain('0123 4567');
    expect(part).toContain(said);
  }
  expect(codeMail({ organization: '<b>x', code: '01234567', language }).html).not.toContain('<b>x');
});
