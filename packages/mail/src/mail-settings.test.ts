import { requireSender, requireSmtpUrl } from './mail-settings.js';

describe('a mail server', () => {
  it.each([
    ...['smtp://localhost:25', 'smtps://ann:p%40ss@mail.acme.example', 'smtp://[::1]:587'],
    'smtp://mail.acme.example:25?requireTLS=false',
  ])('is named: %s', (url) => {
    expect(() => requireSmtpUrl(url)).not.toThrow();
  });

  it.each([
    ...['mail.acme.example', 'https://mail.acme.example', 'smtp://', 'smtp://mail.acme.example?logger=true'],
    ...['smtp://ann:p@mail.acme.example?requireTLS=false', 'smtp://mail.acme.example?requireTLS=true'],
  ])('is not named: %s', (url) => expect(() => requireSmtpUrl(url)).toThrow('must be smtp://'));
});

describe('a sender', () => {
  it.each(['a@acme.example', 'Acme <a@acme.example>', 'Ärzte, GmbH <a@acme.example>'])('is named: %s', (sender) => {
    expect(() => requireSender(sender)).not.toThrow();
  });

  it.each(['', 'Acme', 'a@b@c', 'Acme <a>', 'A\r\nBcc: x <a@acme.example>', 'a@acme.example, b@acme.example'])(
    'is not named: %j',
    (sender) => expect(() => requireSender(sender)).toThrow('must be an email address'),
  );
});
