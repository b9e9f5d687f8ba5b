import fc from 'fast-check';
import { evaluate, evaluateWithoutInput } from './evaluate.js';
import { type Policy, type PolicyCall, type Rules } from './policy.js';
import { preparePolicies } from './prepare-policies.js';
import { naiveDecision } from './testing/naive-evaluate.js';

const PAIRS = 10_000;
const WORKSPACES = ['w1', 'w2'];
const SOURCES = ['rest', 'sdk', 'playground', 'mcp_tools', 'mcp_code', 'trigger'] as const;
const CATEGORIES = ['read', 'write', 'delete', 'send'] as const;
const STRATEGIES = ['fixed', 'per_user', 'per_user_with_fallback'] as const;
const PEOPLE = ['ann@acme.com', 'bob@mail.acme.com', 'eve@evil.org', 'C024'];
const HOSTS = ['acme.com', 'mail.acme.com', 'evil.org', 'example.net'];
const WORDS = ['hello', 'see https://acme.com/x', 'https://docs.evil.org', 'prod/keys/a', 'dev/a', ...PEOPLE];

/** Generates lists that are often empty, which disables their rule. */
const some = <T>(values: readonly T[]) => fc.oneof(fc.constant([]), fc.subarray([...values]));
const maybe = <T>(values: readonly T[]) => fc.option(fc.constantFrom(...values), { nil: undefined });

const rules: fc.Arbitrary<Rules> = fc.record(
  {
    actionCategories: some(CATEGORIES),
    amountThresholds: some([1, 5, 9].map((gt) => ({ path: 'amount', gt }))),
    recipientAllowlist: some([...PEOPLE, '@acme.com']),
    recipientDenylist: some([...PEOPLE, '@evil.org']),
    domainAllowlist: some(HOSTS),
    domainDenylist: some(HOSTS),
    storagePathPrefixes: some(['prod/', 'dev/a']),
  },
  { requiredKeys: [] },
);

const policy: fc.Arbitrary<Omit<Policy, 'id'>> = fc.record({
  workspaceId: fc.constantFrom(null, null, ...WORKSPACES),
  name: fc.constant('P'),
  enabled: fc.constantFrom(true, true, true, false),
  priority: fc.integer({ min: 1, max: 3 }),
  sources: some(SOURCES),
  mcpServerIds: fc.constantFrom([], [], ['m1']),
  workspaceIntegrationIds: fc.constantFrom([], [], ['i1']),
  integrationNames: fc.constantFrom([], ['slack'], ['slack', 'github']),
  integrationAliases: fc.constantFrom([], [], ['chat']),
  actionNames: fc.constantFrom([], [], ['send', 'list']),
  connectionStrategies: some(STRATEGIES),
  endUserMode: fc.constantFrom('any', 'any', 'end_user_present', 'no_end_user'),
  decision: fc.constantFrom('block', 'require_approval', 'notify_only', 'auto_approve'),
  riskMode: fc.constantFrom('rules', 'rules', 'always', 'model_assisted'),
  rules,
});

const policies = fc
  .array(policy, { maxLength: 8 })
  .map((all) => all.map((one, index): Policy => ({ ...one, id: `p${(index * 5) % 8}` })));

const call: fc.Arbitrary<PolicyCall> = fc.record({
  workspaceId: fc.constantFrom(...WORKSPACES),
  source: fc.constantFrom(...SOURCES),
  integrationName: fc.constantFrom('slack', 'github'),
  workspaceIntegrationId: maybe(['i1', 'i2']),
  integrationAlias: maybe(['chat', 'code']),
  calledAlias: maybe(['chat', 'code']),
  actionName: fc.constantFrom('send', 'list', 'drop'),
  category: fc.constantFrom(...CATEGORIES),
  connectionStrategy: maybe(STRATEGIES),
  endUserId: maybe(['ann']),
  mcpServerId: maybe(['m1', 'm2']),
  input: fc.record({
    amount: fc.integer({ min: 0, max: 10 }),
    to: fc.subarray(PEOPLE),
    text: fc.constantFrom(...WORDS),
    more: fc.array(fc.constantFrom(...WORDS), { maxLength: 2 }),
  }),
  recipients: fc.constantFrom([], ['to'], ['to', 'cc']),
});

/** Evaluates the policies with a model that always returns the verdict `isRisky`. */
function decided(all: Policy[], of: PolicyCall, isRisky: boolean): { decision: string; id?: string } {
  const prepared = preparePolicies(all);
  const verdicts = new Map<string, { isRisky: boolean; reason: string }>();
  for (;;) {
    const answer = evaluate(prepared, of, verdicts);
    if (answer.decision === 'allow') return { decision: 'allow' };
    if (answer.decision) return { decision: answer.decision, id: answer.policy.id };
    expect(verdicts.has(answer.ask.id)).toBe(false);
    verdicts.set(answer.ask.id, { isRisky, reason: 'x' });
  }
}

it(`decides ${PAIRS} times as a reference does that was written for itself`, () => {
  const seen: Record<string, number> = {};
  const property = fc.property(policies, call, fc.boolean(), (all, of, isRisky) => {
    const answer = decided(all, of, isRisky);
    seen[answer.decision] = (seen[answer.decision] ?? 0) + 1;
    expect(answer).toEqual(naiveDecision(all, of, isRisky));
  });
  fc.assert(property, { numRuns: PAIRS });
  // Every decision must occur. Otherwise the comparison of the two implementations proves nothing.
  for (const decision of ['allow', 'block', 'require_approval', 'notify_only', 'auto_approve'])
    expect(seen[decision]).toBeGreaterThan(PAIRS / 50);
});

/** Returns the policy with only the part that does not depend on the input. The policy matches nothing if it has no such part. */
function withoutInput(policy: Policy): Policy {
  const { riskMode, enabled, rules: its } = policy;
  const hasRules = Object.values(its).some(({ length }) => length > 0);
  if (riskMode === 'always' || (riskMode === 'rules' && !hasRules)) return policy;
  const { actionCategories = [] } = its;
  return { ...policy, riskMode: 'rules', enabled: enabled && actionCategories.length > 0, rules: { actionCategories } };
}

it(`decides ${PAIRS} times without the input as the reference does for the policies that do not read it`, () => {
  let gated = 0;
  const property = fc.property(policies, call, (all, of) => {
    const { decision, policy: found } = evaluateWithoutInput(preparePolicies(all), of);
    if (found) gated += 1;
    expect({ decision, id: found?.id }).toEqual({ id: undefined, ...naiveDecision(all.map(withoutInput), of, false) });
  });
  fc.assert(property, { numRuns: PAIRS });
  expect(gated).toBeGreaterThan(PAIRS / 10);
});
