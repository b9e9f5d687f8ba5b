import { LIGHT } from '@drawbridge/design';
import { mailWithCode, mailWithLink } from './write-mail.js';

const said = {
  subject: 'Subject',
  language: 'en' as const,
  before: 'Before.',
  link: 'https://a.example/?a=1&b',
  label: 'Open',
  after: 'After.',
};
const brand = { name: '<b>Acme</b> https://evil.example', color: '#0f766e' };

describe('mailWithLink', () => {
  it('has its lines before the link, escaped', () => {
    const { text, html } = mailWithLink({ ...said, lines: ['One', '<b>Two</b>'] });
    expect(text).toBe('Before.\n\nOne\n<b>Two</b>\n\nOpen: https://a.example/?a=1&b\n\nAfter.\n');
    expect(html).toContain('>One<br>\n&lt;b&gt;Two&lt;/b&gt;</p>');
  });

  it('has no empty paragraph without lines', () => {
    expect(mailWithLink(said).text).toBe('Before.\n\nOpen: https://a.example/?a=1&b\n\nAfter.\n');
    expect(mailWithLink({ ...said, lines: [] }).html).not.toMatch(/<p[^>]*><\/p>/);
  });

  it('shows the subject as its heading, and the link as a button and as text', () => {
    const { html } = mailWithLink(said);
    expect(html).toMatch(/<h1[^>]*>Subject<\/h1>/);
    expect(html).toMatch(/<a class="button" href="https:\/\/a\.example\/\?a=1&amp;b"[^>]*>Open<\/a>/);
    expect(html).toMatch(/<a class="accent" [^>]*>https:\/\/a\.example\/\?a=1&amp;b<\/a>/);
  });

  it('names the organization as text without links, and uses its colour', () => {
    const { text, html } = mailWithLink({ ...said, brand });
    expect(text).toMatch(/\n-- \n<b>Acme<\/b> evil\[\.\]example sends this email with Drawbridge\.\n$/);
    expect(html).toContain('&lt;b&gt;Acme&lt;/b&gt; evil[.]example</td>');
    expect(html).not.toContain('<b>');
    expect(html).toContain(`background:${brand.color};color:#ffffff`);
  });

  it('gives a button that the card would hide a border', () => {
    const { html } = mailWithLink({ ...said, brand: { name: 'A', color: '#ffffff' } });
    expect(html).toContain(`background:#ffffff;color:#000000;border:1px solid ${LIGHT.edge};`);
  });

  it('is in German for a German reader', () => {
    const { text, html } = mailWithLink({ ...said, language: 'de', brand: { name: 'Acme' } });
    expect(html).toContain('<html lang="de">');
    expect(html).toContain('öffnen Sie diesen Link');
    expect(text).toContain('Acme sendet diese E-Mail mit Drawbridge.');
  });

  it('loads nothing and runs nothing', () => {
    const { html } = mailWithLink({ ...said, brand });
    expect(html).not.toMatch(/<(?:script|img|link|iframe)|src=|url\(|@import|@font-face/);
  });
});

it('a mail with a code shows it large, and has no link', () => {
  const { text, html } = mailWithCode({ ...said, code: '0123 4567' });
  expect(text).toContain('\n\n0123 4567\n\n');
  expect(html).toMatch(/<p class="ground ink"[^>]*>0123 4567<\/p>/);
  expect(html).not.toContain('<a ');
});
