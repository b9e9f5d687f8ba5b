import { type BatchRun } from '@drawbridge/contracts';
import { processorTime } from '@drawbridge/testkit';
import { approvalMail, batchRunMail } from './approval-mail.js';

const said = {
  integration: 'acme\nBcc: all@example.com',
  action: '<b>pay</b>',
  brand: { name: '<i>Northwind</i> https://evil.example' },
  language: 'en' as const,
  expiresAt: new Date('2026-11-22T20:00:00.000Z'),
  link: 'https://gateway.example/approvals/apr_1?token=apr_link_x&y',
  isHosted: true,
};

describe('approvalMail', () => {
  it('shows names as text, in one line', () => {
    const { subject, html } = approvalMail(said);
    expect(subject).toBe('Approve: <b>pay</b> in acme Bcc: all[at]example[.]com?');
    expect(html).not.toContain('<b>pay');
    expect(html).toContain('token=apr_link_x&amp;y');
    expect(html).not.toContain('<i>');
    expect(html).not.toContain('evil.example');
  });

  it('is in German for a German reader', () => {
    const { subject, text } = approvalMail({ ...said, language: 'de' });
    expect(subject).toMatch(/^Genehmigen: .*\?$/);
    expect(text).toContain('Ansehen und entscheiden: https://');
    expect(text).toContain('bis 2026-11-22 20:00 UTC');
  });

  it('says until when, and that a hosted link is for one alone', () => {
    expect(approvalMail(said).text).toContain('until 2026-11-22 20:00 UTC');
    expect(approvalMail(said).text).toContain('Anyone with this link can decide');
    expect(approvalMail({ ...said, isHosted: false }).text).not.toContain('Anyone with this link');
  });
});

describe('batchRunMail', () => {
  const run: BatchRun = {
    ...{ intentSummary: 'Calls 2 tools of GitHub.', impactSummary: 'Creates data in GitHub.', moreCalls: 0 },
    apps: [
      {
        ...{ alias: 'gh', name: 'GitHub' },
        calls: [
          { actionName: 'create_issue', needs: 'this' },
          { actionName: 'delete_issue', needs: 'another' },
          { actionName: 'list_issues' },
        ],
      },
      { alias: 'x', name: '<b>evil.example</b>', calls: [{ actionName: 'send' }] },
    ],
    ...{ analysisConfidence: 'exact', dynamicSignals: [], externalDomains: ['secret.example'], storageIndicators: [] },
  };
  const mailOf = (changes: Partial<BatchRun> = {}) => batchRunMail({ ...said, run: { ...run, ...changes } });

  it('has the summary first, then the calls by application with those that need approval', () => {
    const { subject, text, html } = mailOf();
    expect(subject).toBe('Approve a program of an AI agent?');
    expect(text.split('\n').slice(0, 4)).toEqual([
      'Calls 2 tools of GitHub. Creates data in GitHub. This program of an AI agent waits for your approval.',
      '',
      'GitHub: create_issue (needs this approval), delete_issue (needs another approval), list_issues',
      '<b>evil[.]example</b>: send',
    ]);
    expect(html).not.toContain('<b>evil');
    expect(html).toContain('token=apr_link_x&amp;y');
  });

  it('makes no link of a summary, and bounds it', () => {
    const { text } = mailOf({ intentSummary: `See https://evil.example ${'x'.repeat(10_000)}`, impactSummary: '' });
    expect(text).toContain('See evil[.]example xxx');
    expect(text.length).toBeLessThan(1_000);
  });

  it('bounds the applications and their calls', () => {
    const calls = Array.from({ length: 15 }, (_, at) => ({ actionName: `a${at}` }));
    const { text } = mailOf({
      apps: Array.from({ length: 25 }, (_, at) => ({ alias: `x${at}`, name: `X${at}`, calls })),
    });
    expect(text).toContain('X0: a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, and 5 more\n');
    expect(text).toContain('X19: ');
    expect(text).toContain('\nand 5 more applications\n');
    expect(text).not.toContain('X20: ');
  });

  it('costs time that does not grow with the texts', () => {
    const cost = (length: number): number => {
      const long = 'a'.repeat(length);
      return processorTime(() => mailOf({ intentSummary: long, impactSummary: long }));
    };
    cost(100_000);
    expect(cost(1_000_000) / cost(10_000)).toBeLessThan(50);
  });
});
