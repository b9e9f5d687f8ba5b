import { disabledMail } from './disabled-mail.js';

it('says which trigger it was, as text and in one line', () => {
  const said = {
    integrationName: 'acme\nBcc: all@example.com',
    triggerName: '<b>push</b>',
    baseUrl: 'https://a.example/in',
    brand: { name: '<b>Acme</b>' },
  };
  const { subject, text, html } = disabledMail({ ...said, language: 'en' });
  expect(subject).toBe('Disabled: acme Bcc: all[at]example[.]com: <b>push</b>');
  expect(text).toContain('https://a.example/in/docs');
  expect(html).not.toContain('<b>push');
  expect(html).toContain('&lt;b&gt;Acme');
  expect(disabledMail({ ...said, language: 'de' }).subject).toMatch(/^Deaktiviert: acme/);
});
