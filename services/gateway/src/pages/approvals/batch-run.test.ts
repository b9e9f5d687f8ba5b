import { type Approval } from '@drawbridge/proto/drawbridge/approvals/v1/requests';
import { render } from 'preact-render-to-string';
import { de } from '../words/de.js';
import { en, type Words } from '../words/en.js';
import { ApprovalBody, type Shown } from './approval-body.js';
import { AskBody } from './ask-body.js';

const ID = 'apr_01926b3c-5a2e-7c41-9d0f-2b6a4f1e8c37';
const PREVIEW = {
  ...{ type: 'mcp_code_batch_run', analysisConfidence: 'exact', dynamicSignals: [] as string[] },
  ...{ intentSummary: 'Calls 3 tools of GitHub.', impactSummary: 'Creates or changes data in GitHub.' },
  predictedTools: ['gh.list_issues', 'gh.create_issue', 'gh.delete_issue'],
  approvalGroups: [
    { approvalId: ID, tools: ['gh.create_issue'] },
    { approvalId: 'apr_other', tools: ['gh.delete_issue'] },
  ],
  availableApps: [{ alias: 'gh', displayName: 'GitHub' }],
  ...{ externalDomains: ['api.example'], storageIndicators: ['prod/'], code: 'await svc.gh.create_issue({})' },
};

function shownOf(preview: object = {}, fields: object = {}): Shown {
  const approval = {
    ...{ id: ID, status: 'pending', source: 'mcp_code', integrationName: 'code-mode', actionName: 'svc_execute' },
    ...{ codeRunType: 'mcp_code_batch_run', inputPreview: { ...PREVIEW, ...preview }, riskReasons: ['a reason'] },
    ...{ redactedPaths: [], truncatedFields: [], omittedFields: 0 },
    ...{ createdAt: '2026-11-22T19:00:00.000Z', expiresAt: '2026-11-22T20:00:00.000Z', ...fields },
  } as unknown as Approval;
  const names = { integration: 'code-mode', logoUrl: '', action: 'svc_execute', labels: new Map<string, string>() };
  const brand = { name: 'Northwind' } as Shown['brand'];
  return { approval, brand, ...names, mayDecide: true, suspended: false, tooLargeForLink: false };
}

const path = (one: string): string => one;
const pageOf = (shown: Shown, words: Words = en): string =>
  render(ApprovalBody({ ...shown, words, path, isBrief: false, isStill: true }));

/** Returns the texts of the page in order, to compare their places. */
const placesOf = (html: string, ...texts: string[]): number[] => texts.map((text) => html.indexOf(text));

it('shows the summary first, then the status, the calls and the program', () => {
  const html = pageOf(shownOf());
  const order = [
    'Calls 3 tools',
    'Creates or changes',
    'Waiting for a decision',
    'create_issue</code>',
    'await svc',
    'a reason',
  ];
  const places = placesOf(html, ...order);
  expect(places).toEqual([...places].sort((one, other) => one - other));
  expect(places).not.toContain(-1);
  expect(html).toContain('<h1>Run a program</h1>');
  expect(html).toContain('The calls that need this approval do not run until it is given.');
  expect(html).not.toContain('svc_execute');
});

it('marks the calls that need this approval, before those that need another and the free ones', () => {
  const html = pageOf(shownOf());
  expect(html).toContain('<code>create_issue</code><span class="badge bad">needs this approval</span>');
  expect(html).toContain('<code>delete_issue</code><span class="badge open">needs another approval</span>');
  expect(html).toContain('<li><code>list_issues</code></li>');
  const places = placesOf(html, 'create_issue</code>', 'delete_issue</code>', 'list_issues</code>');
  expect(places).toEqual([...places].sort((one, other) => one - other));
  expect(html).toContain('<strong>GitHub</strong> <span class="quiet">(gh)</span>');
});

it.each([
  ['exact', 'The list is complete.'],
  ['partial', 'The list may be incomplete.'],
  ['dynamic', 'The calls cannot be predicted'],
  ['of another version', 'The calls cannot be predicted'],
])('says how sure the calls are: %s', (analysisConfidence, said) => {
  expect(pageOf(shownOf({ analysisConfidence }))).toContain(said);
});

it('gives the signals, the addresses, the storage, and how many calls are not listed', () => {
  const html = pageOf(shownOf({ dynamicSignals: ['line 2: a computed name'], predictedToolCount: 203 }));
  for (const said of ['line 2: a computed name', 'api.example', 'prod/', '200 more calls are not listed here.'])
    expect(html).toContain(said);
});

it('closes the program until the reader opens it, and says that it is shortened', () => {
  const code = { truncated: true, preview: 'const a', bytes: 90_000, sha256: 'abc' };
  const html = pageOf(shownOf({ code }, { truncatedFields: ['code'] }));
  expect(html).toContain('<details><summary>Show or hide the program</summary><pre>const a</pre>');
  expect(html).toContain('The value has 90,000 bytes. SHA-256: abc');
  expect(pageOf(shownOf({ code: undefined }))).toContain('The program cannot be shown here.');
});

it('escapes everything, and makes characters that deceive visible', () => {
  const evil = '<script>alert(1)</script>\u202e';
  const html = pageOf(
    shownOf({
      ...{ intentSummary: evil, impactSummary: evil, code: evil, dynamicSignals: [evil], externalDomains: [evil] },
      ...{
        storageIndicators: [evil],
        predictedTools: [`${evil}.${evil}`],
        availableApps: [{ alias: evil, displayName: evil }],
      },
    }),
  );
  expect(html).not.toContain('<script>');
  expect(html).not.toContain('\u202e');
  expect(html.match(/⟨U\+202E⟩/g)!.length).toBeGreaterThanOrEqual(8);
});

it('does not take the input of a single call of a run for a batch run', () => {
  const html = pageOf(shownOf({}, { codeRunType: 'mcp_code_call' }));
  expect(html).toContain('What will be sent');
  expect(html).toContain('svc_execute in code-mode');
  expect(html).not.toContain('needs this approval');
});

it('repeats what would run when it asks for confirmation', () => {
  const html = render(AskBody({ ...shownOf(), choice: 'approve', words: en, path }));
  for (const said of [
    'Approve this run?',
    'Calls 3 tools of GitHub.',
    'needs this approval',
    'await svc.gh.create_issue',
  ])
    expect(html).toContain(said);
});

it('is all in German for a reader of German', () => {
  const html = pageOf(shownOf({ predictedToolCount: 4 }), de);
  for (const said of [
    'Was das Programm tut',
    'braucht diese Genehmigung',
    'Die Liste ist vollständig.',
    'Ein weiterer Aufruf',
  ])
    expect(html).toContain(said);
});
