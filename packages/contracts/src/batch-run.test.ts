import { toBatchRun } from './batch-run.js';

const preview = {
  ...{ intentSummary: 'Does it.', impactSummary: 'Changes it.', analysisConfidence: 'partial' },
  predictedTools: ['gh.list', 'gh.create', 'mail.send', 'gh.drop'],
  predictedToolCount: 6,
  approvalGroups: [
    { approvalId: 'apr_1', tools: ['gh.create'] },
    { approvalId: 'apr_2', tools: ['gh.drop', 'late.x'] },
  ],
  availableApps: [{ alias: 'gh', displayName: 'GitHub' }, 'mail', { alias: 1 }],
  ...{ dynamicSignals: ['line 2'], externalDomains: ['a.example'], storageIndicators: ['prod/'] },
};

it('groups the calls by application, those that need an approval first', () => {
  const { apps, moreCalls, ...others } = toBatchRun({ id: 'apr_1', inputPreview: preview });
  expect(apps).toEqual([
    {
      ...{ alias: 'gh', name: 'GitHub' },
      calls: [
        { actionName: 'create', needs: 'this' },
        { actionName: 'drop', needs: 'another' },
        { actionName: 'list', needs: undefined },
      ],
    },
    { alias: 'mail', name: 'mail', calls: [{ actionName: 'send', needs: undefined }] },
    { alias: 'late', name: 'late', calls: [{ actionName: 'x', needs: 'another' }] },
  ]);
  expect(moreCalls).toBe(2);
  expect(others).toEqual({
    ...{ intentSummary: 'Does it.', impactSummary: 'Changes it.', analysisConfidence: 'partial' },
    ...{ dynamicSignals: ['line 2'], externalDomains: ['a.example'], storageIndicators: ['prod/'] },
  });
});

it.each<[string, Record<string, unknown> | undefined]>([
  ['without fields', {}],
  ['that is absent', undefined],
  [
    'with fields of other types',
    {
      ...{ intentSummary: 1, impactSummary: {}, predictedTools: 'x', approvalGroups: [null, 1, { tools: { a: 1 } }] },
      ...{ availableApps: [null], predictedToolCount: '9', analysisConfidence: 'sure', dynamicSignals: [null, 1] },
    },
  ],
])('reads a preview %s as empty, and its calls as unpredictable', (_what, inputPreview) => {
  expect(toBatchRun({ id: 'apr_1', inputPreview })).toEqual({
    ...{ intentSummary: '', impactSummary: '', apps: [], moreCalls: 0, analysisConfidence: 'dynamic' },
    ...{ dynamicSignals: [], externalDomains: [], storageIndicators: [] },
  });
});

it('costs time linear in the number of calls', () => {
  const timeOf = (count: number): number => {
    const predictedTools = Array.from({ length: count }, (_, at) => `app${at % 100}.action_${at}`);
    const inputPreview = { predictedTools, approvalGroups: [{ approvalId: 'apr_1', tools: predictedTools }] };
    const before = process.cpuUsage();
    toBatchRun({ id: 'apr_1', inputPreview });
    const { user, system } = process.cpuUsage(before);
    return Math.max(1, user + system);
  };
  const best = (count: number): number => Math.min(...Array.from({ length: 5 }, () => timeOf(count)));
  best(10_000); // The first run also compiles the code.
  // The input is 4 times as long. Linear work takes 4 times as long for it, quadratic work 16 times.
  expect(best(40_000) / best(10_000)).toBeLessThan(4 * 3);
});
