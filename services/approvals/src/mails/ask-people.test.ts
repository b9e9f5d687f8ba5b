import { approvalMail } from './ask-people.js';

const said = {
  integrationName: 'acme\nBcc: all@example.com',
  actionName: '<b>pay</b>',
  expiresAt: new Date('2026-11-22T20:00:00.000Z'),
  link: 'https://gateway.example/approvals/apr_1?token=apr_link_x&y',
  isHosted: true,
};

describe('approvalMail', () => {
  it('shows names as text, in one line', () => {
    const { subject, html } = approvalMail(said);
    expect(subject).toBe('Approve acme Bcc: all[at]example[.]com: <b>pay</b>?');
    expect(html).not.toContain('<b>pay');
    expect(html).toContain('token=apr_link_x&amp;y');
  });

  it('says until when, and that a hosted link is for one alone', () => {
    expect(approvalMail(said).text).toContain('until 2026-11-22 20:00 UTC');
    expect(approvalMail(said).text).toContain('Whoever has the link may decide');
    expect(approvalMail({ ...said, isHosted: false }).text).not.toContain('Whoever has the link');
  });
});
