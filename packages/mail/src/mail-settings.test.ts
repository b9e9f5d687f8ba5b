import { mailSettings, requireSender, requireSmtpUrl } from './mail-settings.js';

const SET = { SMTP_URL: 'smtp://mail.acme.example', MAIL_FROM: 'a@acme.example', BASE_URL: 'https://acme.example' };

describe('the settings of mail', () => {
  it('are none without a server, whatever else is set', () => {
    expect(mailSettings({ ...SET, SMTP_URL: '' })).toBeUndefined();
  });

  it('are complete, or name what lacks', () => {
    expect(mailSettings(SET)).toEqual({ smtpUrl: SET.SMTP_URL, from: SET.MAIL_FROM, baseUrl: SET.BASE_URL });
    const lacking = () => mailSettings({ ...SET, MAIL_FROM: '', BASE_URL: '' });
    expect(lacking).toThrow(/MAIL_FROM: is required with SMTP_URL\n {2}BASE_URL: is required/);
  });
});

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
