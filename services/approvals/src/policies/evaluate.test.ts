import { processorTime } from '@drawbridge/testkit';
import { evaluate, evaluateWithoutInput, type Verdict } from './evaluate.js';
import { type Policy, type PolicyCall } from './policy.js';
import { preparePolicies } from './prepare-policies.js';
import { callOf, policyOf } from './testing/policies.js';

const decide = (policies: Policy[], call: PolicyCall, verdicts?: ReadonlyMap<string, Verdict>) =>
  evaluate(preparePolicies(policies), call, verdicts);
const idOf = (policies: Policy[], call = callOf()): string | undefined => {
  const answer = decide(policies, call);
  return answer.decision ? answer.policy?.id : undefined;
};

it('allows what no policy is for', () => {
  expect(decide([], callOf())).toEqual({ decision: 'allow', reasons: [] });
  expect(decide([policyOf({ enabled: false })], callOf())).toEqual({ decision: 'allow', reasons: [] });
});

const PRESENT = callOf({ endUserId: 'ann' });

describe('a filter', () => {
  it.each<[Partial<Policy>, Partial<PolicyCall>, Partial<PolicyCall>]>([
    [{ workspaceId: 'w1' }, { workspaceId: 'W1' }, { workspaceId: 'w2' }],
    [{ sources: ['sdk', 'rest'] }, { source: 'rest' }, { source: 'playground' }],
    [{ mcpServerIds: ['M1'] }, { mcpServerId: 'm1' }, {}],
    [{ workspaceIntegrationIds: ['i1'] }, { workspaceIntegrationId: 'I1' }, { workspaceIntegrationId: undefined }],
    [{ integrationNames: ['slack'] }, {}, { integrationName: 'Slack' }],
    [{ integrationAliases: ['chat'] }, {}, { integrationAlias: undefined }],
    [{ integrationAliases: ['chat'] }, { integrationAlias: 'work', calledAlias: 'chat' }, { integrationAlias: 'work' }],
    [{ integrationAliases: ['chat'] }, { calledAlias: 'mine' }, { integrationAlias: 'work', calledAlias: 'mine' }],
    [{ actionNames: ['x', 'send_message'] }, {}, { actionName: 'send' }],
    [{ connectionStrategies: ['per_user'] }, {}, { connectionStrategy: undefined }],
    [{ connectionStrategies: ['fixed'] }, { connectionStrategy: undefined }, {}],
    [{ endUserMode: 'end_user_present' }, { endUserId: 'ann' }, {}],
    [{ endUserMode: 'no_end_user' }, {}, { endUserId: 'ann' }],
  ])('%j lets a call with %j pass, and none with %j', (filter, passing, other) => {
    expect(idOf([policyOf(filter)], callOf(passing))).toBe('p1');
    expect(idOf([policyOf(filter)], callOf(other))).toBeUndefined();
  });

  it('must be passed as all the others are', () => {
    const both = policyOf({ sources: ['rest'], actionNames: ['send_message'], endUserMode: 'end_user_present' });
    expect(idOf([both], PRESENT)).toBe('p1');
    expect(idOf([both], { ...PRESENT, source: 'sdk' })).toBeUndefined();
    expect(idOf([both], { ...PRESENT, actionName: 'x' })).toBeUndefined();
  });
});

describe('of several that match', () => {
  const auto = policyOf({ id: 'a', decision: 'auto_approve' });
  const notify = policyOf({ id: 'b', decision: 'notify_only' });
  const ask = policyOf({ id: 'd' });
  const asksToo = policyOf({ id: 'c' });
  const block = policyOf({ id: 'e', decision: 'block' });

  it.each<[string, Policy[], string]>([
    ['the lower number', [block, { ...auto, priority: 99 }], 'a'],
    ['then block', [auto, notify, ask, block], 'e'],
    ['then require_approval', [auto, notify, ask], 'd'],
    ['then notify_only', [auto, notify], 'b'],
    ['then the first id', [ask, asksToo], 'c'],
  ])('%s decides, however they stand', (_which, policies, id) => {
    expect(idOf(policies)).toBe(id);
    expect(idOf([...policies].reverse())).toBe(id);
  });

  it.each(['auto_approve', 'notify_only'] as const)('%s in doubt does not hide a policy after it', (decision) => {
    const flood = callOf({ input: { text: Array.from({ length: 1_001 }, (_, n) => `https://h${n}.org`).join(' ') } });
    const inDoubt = policyOf({ id: 'f', priority: 1, decision, rules: { domainDenylist: ['acme.com'] } });
    expect(idOf([inDoubt, ask], flood)).toBe('d');
    expect(decide([inDoubt, { ...ask, enabled: false }], flood)).toMatchObject({ policy: { id: 'f' }, isDoubt: true });
    expect(idOf([{ ...inDoubt, rules: { domainAllowlist: ['acme.com'] } }, block], flood)).toBe('e');
  });

  it('auto_approve does not apply because a model is unreachable', () => {
    const assisted = policyOf({
      id: 'm',
      priority: 1,
      decision: 'auto_approve',
      riskMode: 'model_assisted',
      rules: { actionCategories: ['delete'] },
    });
    const verdict = (isDoubt?: true) => new Map([['m', { isRisky: true, reason: 'no verdict', isDoubt }]]);
    expect(decide([assisted, ask], callOf(), verdict(true))).toMatchObject({ policy: { id: 'd' } });
    expect(decide([assisted, ask], callOf(), verdict())).toMatchObject({ policy: { id: 'm' } });
  });

  it('those with rules that are not true do not count', () => {
    expect(idOf([{ ...block, rules: { actionCategories: ['delete'] } }, ask])).toBe('d');
  });
});

describe('the risk mode', () => {
  const RULES = { actionCategories: ['delete', 'send'], amountThresholds: [{ path: 'amount', gt: 10 }] };

  it('gives each rule that is true as a reason', () => {
    const call = callOf({ input: { amount: 11 } });
    expect(decide([policyOf({ rules: RULES })], call)).toMatchObject({
      decision: 'require_approval',
      reasons: ['actionCategories: the action is of category send', 'amountThresholds: amount is above 10'],
    });
    expect(idOf([policyOf({ rules: RULES })], callOf({ category: 'read' }))).toBeUndefined();
  });

  it.each([{}, { actionCategories: [], recipientAllowlist: [] }])('matches every call without rules: %j', (rules) => {
    expect(decide([policyOf({ rules })], callOf())).toMatchObject({
      reasons: ['rules: there are none, every call matches'],
    });
  });

  it('always ignores rules', () => {
    const always = policyOf({ riskMode: 'always', rules: RULES, decision: 'block' });
    expect(decide([always], callOf({ category: 'read' }))).toMatchObject({
      decision: 'block',
      reasons: ['riskMode: always'],
    });
  });

  it('model_assisted asks for a verdict where no rule is true, and goes by it', () => {
    const assisted = policyOf({ riskMode: 'model_assisted', rules: RULES });
    const below = policyOf({ id: 'p2', decision: 'notify_only' });
    const call = callOf({ category: 'read' });
    expect(decide([assisted, below], callOf())).toMatchObject({ policy: { id: 'p1' } });
    expect(decide([assisted, below], call)).toEqual({ ask: assisted });
    const risky = new Map([['p1', { isRisky: true, reason: 'odd' }]]);
    expect(decide([assisted, below], call, risky)).toMatchObject({ reasons: ['riskMode: model_assisted: odd'] });
    const fine = new Map([['p1', { isRisky: false, reason: '' }]]);
    expect(decide([assisted, below], call, fine)).toMatchObject({ policy: { id: 'p2' } });
    expect(decide([{ ...below, priority: 1 }, assisted], call)).toMatchObject({ policy: { id: 'p2' } });
  });
});

describe('without the input', () => {
  const READS_INPUT = { amountThresholds: [{ path: 'amount', gt: 10 }], recipientAllowlist: ['ann@acme.com'] };
  const decideUnseen = (...policies: Policy[]) => evaluateWithoutInput(preparePolicies(policies), callOf());

  it.each<[string, Partial<Policy>, string[]]>([
    ['riskMode always', { riskMode: 'always', rules: READS_INPUT }, ['riskMode: always']],
    ['no rules', {}, ['rules: there are none, every call matches']],
    [
      'a category, whatever else it has',
      { rules: { ...READS_INPUT, actionCategories: ['send'] } },
      ['actionCategories: the action is of category send'],
    ],
    [
      'a category, without a model',
      { riskMode: 'model_assisted', rules: { actionCategories: ['send'] } },
      ['actionCategories: the action is of category send'],
    ],
  ])('a policy with %s decides', (_what, fields, reasons) => {
    expect(decideUnseen(policyOf(fields))).toMatchObject({ decision: 'require_approval', reasons });
  });

  it.each<[string, Partial<Policy>]>([
    ['rules that read the input', { rules: READS_INPUT }],
    ['another category', { rules: { ...READS_INPUT, actionCategories: ['delete'] } }],
    ['a question for a model', { riskMode: 'model_assisted' }],
    ['another filter', { actionNames: ['delete_message'] }],
  ])('a policy with %s leaves the decision to the next one', (_what, fields) => {
    expect(decideUnseen(policyOf({ priority: 1, decision: 'block', ...fields }))).toEqual({
      decision: 'allow',
      reasons: [],
    });
    const next = policyOf({ id: 'p2', decision: 'auto_approve' });
    expect(decideUnseen(policyOf({ priority: 1, decision: 'block', ...fields }), next)).toMatchObject({
      policy: { id: 'p2' },
    });
  });

  it('costs time linear in the number of calls', () => {
    const prepared = preparePolicies(
      Array.from({ length: 500 }, (_, at) => policyOf({ id: `p${at}`, actionNames: [`other_${at}`] })),
    );
    const cost = (calls: number): number =>
      processorTime(() =>
        Array.from({ length: calls }, (_, at) => evaluateWithoutInput(prepared, callOf({ actionName: `a${at}` }))),
      );
    cost(5_000); // The first run only makes the engine compile the code.
    // For 16 times the input, linear work costs 16 times as much, and quadratic work 256 times.
    expect(cost(8_000) / cost(500)).toBeLessThan(100);
  });
});
