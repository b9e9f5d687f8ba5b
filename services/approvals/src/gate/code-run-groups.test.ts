import { type PredictedCall } from '@drawbridge/proto/drawbridge/approvals/v1/gate';
import { processorTime } from '@drawbridge/testkit';
import { type StoredPolicy } from '../policies/stored-policies.js';
import { policyOf } from '../policies/testing/policies.js';
import { batchPreview } from './batch-preview.js';
import { type Judgement } from './call-policies.js';
import { coveredCalls, type Group, groupCalls, shownCall } from './code-run-groups.js';

const run = { id: 'run', codeHash: 'c', toolSurfaceHash: 's' };
const predicted = (path: string, fields: object = {}): PredictedCall => {
  const [calledAlias, actionName = ''] = path.split('.');
  const call = { integrationName: 'github', calledAlias, actionName, category: 'write', recipients: [], ...fields };
  return { path, call };
};
const judged = (id: string, fields: object = {}): Judgement => {
  const policy = { ...policyOf({ id, name: `Policy ${id}` }), ...fields } as StoredPolicy;
  return { decision: policy.decision, policy, reasons: [`reason of ${id}`] };
};
const groupsOf = (paths: string[], policyIdOf: (path: string, at: number) => string): Group[] =>
  groupCalls(
    paths.map((path) => predicted(path)),
    paths.map((path, at) => judged(policyIdOf(path, at))),
  ).groups;
const numbered = (count: number): string[] => Array.from({ length: count }, (_, at) => `gh.create_${at}`);

it('groups calls by policy in the order of the program, and gives each reason once', () => {
  const groups = groupsOf(['a.x', 'b.x', 'c.x', 'd.x'], (path) => (path === 'b.x' ? 'q' : 'p'));
  expect(groups.map(({ policy, reasons, calls }) => [policy.id, reasons, calls.map(({ path }) => path)])).toEqual([
    ['p', ['reason of p'], ['a.x', 'c.x', 'd.x']],
    ['q', ['reason of q'], ['b.x']],
  ]);
});

it('leaves out the calls that run without an approval, and names those that are blocked', () => {
  const decisions = ['block', 'notify_only', 'auto_approve'].map((decision) => judged('p', { decision }));
  const judgements: Judgement[] = [...decisions, { decision: 'allow', reasons: [] }];
  const { groups, blocked } = groupCalls(
    ['a.x', 'b.x', 'c.x', 'd.x'].map((path) => predicted(path)),
    judgements,
  );
  expect(groups).toEqual([]);
  expect(blocked.map(({ path }) => path)).toEqual(['a.x']);
});

it('opens at most 50 requests and names at most 200 blocked calls, and covers at most 200 tools in each', () => {
  expect(groupsOf(numbered(60), (path) => path)).toHaveLength(50);
  const calls = numbered(300).map((path) => predicted(path));
  expect(
    groupCalls(
      calls,
      calls.map(() => judged('p', { decision: 'block' })),
    ).blocked,
  ).toHaveLength(200);
  expect(coveredCalls({ calls }).batchTools).toEqual(numbered(200));
});

it.each<[string, PredictedCall[], object]>([
  [
    'one tool',
    [predicted('gh.create_issue', { integrationAlias: 'own', endUserId: 'ann' })],
    { integrationName: 'github', actionName: 'create_issue', integrationAlias: 'gh', endUserId: 'ann' },
  ],
  [
    'several tools',
    [predicted('gh.create_issue', { mcpServerId: 'm' }), predicted('gh.create_comment')],
    { integrationName: 'code-mode', actionName: 'svc_execute', mcpServerId: 'm' },
  ],
])('is listed as %s', (_what, calls, shown) => expect(shownCall({ calls })).toMatchObject(shown));

describe('the preview of a batch request', () => {
  const preview = { input: {}, redactedPaths: [], truncatedFields: ['code'], omittedFields: 0 };

  it('cannot be made to name another run', () => {
    const [group] = groupsOf(['a.x'], () => 'p') as [Group];
    const forged = {
      ...preview,
      input: { type: 'x', codeRunId: 'x', approvalGroups: [], codeHash: 'x', toolSurfaceHash: 'x' },
    };
    expect(batchPreview(group, { run, preview: forged, groups: [group] }).input).toMatchObject({
      ...{ type: 'mcp_code_batch_run', codeRunId: 'run', codeHash: 'c', toolSurfaceHash: 's' },
      approvalGroups: [
        { policyId: 'p', policyName: 'Policy p', decision: 'require_approval', tools: ['a.x'], toolCount: 1 },
      ],
    });
  });

  it('keeps the fields that are truncated before, and adds the lists that it shortens', () => {
    const groups = groupsOf(numbered(30), (_path, at) => String(at % 3));
    expect(batchPreview(groups[0]!, { run, preview, groups }).truncatedFields).toEqual(['code']);
    const long = { ...preview, input: { dynamicSignals: numbered(201) } };
    expect(batchPreview(groups[0]!, { run, preview: long, groups }).truncatedFields).toEqual([
      'code',
      'dynamicSignals',
    ]);
  });

  it('shows its own group in full, and shortens the others together', () => {
    const groups = groupsOf(numbered(1_000), (_path, at) => String(at % 5));
    const { input, truncatedFields } = batchPreview(groups[1]!, { run, preview, groups });
    const counts = input!['approvalGroups'].map(({ tools, toolCount }: any) => [tools.length, toolCount]);
    expect(counts).toEqual([
      [50, 200],
      [200, 200],
      [50, 200],
      [50, 200],
      [50, 200],
    ]);
    expect(truncatedFields).toEqual(['code', 'approvalRequiredTools', 'approvalGroups']);
  });

  it('is small for any number of tools, and costs time linear in it', () => {
    const made = (count: number) => () => {
      const groups = groupsOf(numbered(count), (_path, at) => String(at % 50));
      return groups.map((group) => batchPreview(group, { run, preview, groups }));
    };
    expect(JSON.stringify(made(5_000)()).length).toBeLessThan(50 * 40_000);
    // For 16 times the input, linear work costs 16 times as much, and quadratic work 256 times.
    expect(processorTime(made(20_000)) / processorTime(made(1_250))).toBeLessThan(100);
  });
});
