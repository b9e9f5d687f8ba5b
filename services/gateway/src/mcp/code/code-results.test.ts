import { type Approval } from '@drawbridge/proto/drawbridge/approvals/v1/requests';
import { type CodeRunResult } from '@drawbridge/proto/drawbridge/execution/v1/code_runs';
import { toCodeResult } from './code-results.js';

const address = (path: string): string => `https://x${path}`;
const run = (result: CodeRunResult['result'], more: object = {}): CodeRunResult => ({
  ...{ codeRunId: 'run', result, console: [], calls: [], ...more },
});
const completed = (valueJson?: string): CodeRunResult['result'] => ({ $case: 'completed', value: { valueJson } });
const failed = (more: object = {}): CodeRunResult['result'] => ({
  $case: 'failed',
  value: { code: 'RUNTIME_ERROR', message: 'x is not defined', details: undefined, ...more },
});
const approval = (id: string, more: object = {}): Approval =>
  ({
    id,
    approvalUrl: `/a/${id}`,
    hostedApprovalUrl: `/h/${id}`,
    expiresAt: '2026-01-01T00:00:00.000Z',
    ...more,
  }) as Approval;
const waiting = (approvals: Approval[], isNew: boolean): CodeRunResult['result'] => ({
  $case: 'waiting',
  value: { approvals, isNew },
});
const shown = (result: CodeRunResult): any => {
  const { content, structuredJson, isError } = toCodeResult(result, address);
  return { texts: content.map(({ text }) => text), isError, structured: structuredJson && JSON.parse(structuredJson) };
};

describe('a completed run', () => {
  it('is the value as JSON, then the console output', () => {
    expect(shown(run(completed('{"open":3}')))).toEqual({ texts: ['{"open":3}'] });
    const lines = [
      { level: 'log', text: 'one' },
      { level: 'warn', text: 'two' },
    ];
    expect(shown(run(completed('1'), { console: lines })).texts).toEqual(['1', 'Console:\n[log] one\n[warn] two']);
    expect(shown(run(completed())).texts).toEqual(['The program returned nothing.']);
  });

  it('is cut to valid JSON of 100,000 characters, and the result says so', () => {
    const value = Array.from({ length: 60_000 }, (_, n) => n);
    const [text, note] = shown(run(completed(JSON.stringify(value)))).texts;
    expect(text.length).toBeLessThanOrEqual(100_000);
    expect(JSON.parse(text).at(-1)).toBe('…');
    expect(note).toMatch(/^The value was truncated: it has \d+ characters/);
  });

  it('has at most 20,000 characters of the console output', () => {
    const [, output] = shown(
      run(completed('1'), { console: Array(1_000).fill({ level: 'log', text: 'x'.repeat(100) }) }),
    ).texts;
    expect(output.length).toBeLessThan(20_100);
    expect(output).toMatch(/truncated\. Log less\.$/);
  });
});

describe('a failed run', () => {
  it('is an error with the position and the calls that were made', () => {
    const calls = [
      { path: 'gh.create_issue', status: 'success', executionId: 'e' },
      { path: 'gh.comment', status: 'failed' },
    ];
    const details = { hint: 'Declare it' };
    expect(shown(run(failed({ line: 3, column: 7, details }), { calls }))).toEqual({
      texts: [
        'RUNTIME_ERROR: x is not defined (line 3, column 7)\nThe program made these calls. Do not repeat those that succeeded:\ngh.create_issue: success\ngh.comment: failed',
      ],
      isError: true,
      structured: {
        ...{ error: 'x is not defined', code: 'RUNTIME_ERROR' },
        details: {
          ...{ hint: 'Declare it', line: 3, column: 7, codeRunId: 'run' },
          calls: [
            { call: 'gh.create_issue', status: 'success', executionId: 'e' },
            { call: 'gh.comment', status: 'failed' },
          ],
        },
      },
    });
  });

  it('says that no calls were made, and names at most 100 of many', () => {
    expect(shown(run(failed())).texts).toEqual(['RUNTIME_ERROR: x is not defined\nNo calls were made.']);
    const calls = Array.from({ length: 150 }, (_, n) => ({ path: `a.b${n}`, status: 'success' }));
    const { texts, structured } = shown(run(failed(), { calls }));
    expect(texts[0]).toMatch(/a\.b99: success\nand 50 more$/);
    expect(structured.details.calls).toHaveLength(150);
  });
});

describe('a waiting run', () => {
  it('has the approval, its links and the continuation', () => {
    const { texts, structured, isError } = shown(run(waiting([approval('apr_1')], true)));
    expect(isError).toBeUndefined();
    expect(structured).toEqual({
      ...{ status: 'approval_required', view: 'approval_required' },
      ...{ title: expect.stringMatching(/\w/), description: expect.stringContaining('https://x/h/apr_1') },
      approval: {
        ...{ id: 'apr_1', approvalUrl: 'https://x/a/apr_1', hostedApprovalUrl: 'https://x/h/apr_1' },
        expiresAt: '2026-01-01T00:00:00.000Z',
      },
      links: [
        { kind: 'hosted_approval', label: 'Review and decide', url: 'https://x/h/apr_1', primary: true },
        { kind: 'dashboard_approval', label: 'Review in the dashboard', url: 'https://x/a/apr_1', primary: false },
      ],
      continuation: { tool: 'svc_execute', arguments: { approvalId: 'apr_1' } },
    });
    expect(texts[0]).toContain('{"approvalId":"apr_1"}');
  });

  it('is pending when a continuation finds it so, and lists several approvals', () => {
    const [one, two] = [approval('apr_1', { hostedApprovalUrl: undefined }), approval('apr_2')];
    expect(shown(run(waiting([one, two], false))).structured).toMatchObject({
      ...{ status: 'approval_pending', view: 'approval_required' },
      approval: { id: 'apr_1', hostedApprovalUrl: null },
      links: [{ kind: 'dashboard_approval', primary: true }],
      continuation: { arguments: { approvalId: 'apr_1' } },
      approvals: [{ id: 'apr_1' }, { id: 'apr_2', hostedApprovalUrl: 'https://x/h/apr_2' }],
    });
  });
});

it('refuses a result without an outcome', () => {
  expect(() => toCodeResult(run(undefined), address)).toThrow('no result');
  expect(() => toCodeResult(run(waiting([], true)), address)).toThrow('without an approval');
});
