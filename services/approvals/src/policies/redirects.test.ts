import { hasHostRules, policyAgainst } from './evaluate.js';
import { type Policy } from './policy.js';
import { preparePolicies } from './prepare-policies.js';
import { callOf, policyOf } from './testing/policies.js';

const [ALLOW, DENY] = [{ domainAllowlist: ['acme.com'] }, { domainDenylist: ['evil.example'] }];

describe('a redirect to docs.evil.example', () => {
  it.each<[string, Partial<Policy>[], string | undefined, string | undefined]>([
    ['is followed without a policy', [], undefined, undefined],
    ['meets a deny list', [{ id: 'p', rules: DENY }], undefined, 'p'],
    ['meets an allow list', [{ id: 'p', rules: ALLOW, decision: 'block' }], undefined, 'p'],
    [
      'meets the list of a model-assisted policy',
      [{ id: 'p', rules: DENY, riskMode: 'model_assisted' }],
      undefined,
      'p',
    ],
    ['meets the list of the policy under which the call was approved', [{ id: 'p', rules: DENY }], 'p', 'p'],
    [
      'is followed where the policy only notifies',
      [{ id: 'p', rules: DENY, decision: 'notify_only' }],
      undefined,
      undefined,
    ],
    ['is followed where the policy matches always', [{ id: 'p', rules: DENY, riskMode: 'always' }], 'p', undefined],
    [
      'is followed where the policy is for other calls',
      [{ id: 'p', rules: DENY, actionNames: ['x'] }],
      undefined,
      undefined,
    ],
    ['is followed where the policy is disabled', [{ id: 'p', rules: DENY, enabled: false }], undefined, undefined],
    [
      'is followed where an earlier policy approves the host',
      [
        { id: 'p', priority: 2, rules: ALLOW },
        { id: 'q', priority: 1, rules: DENY, decision: 'auto_approve' },
      ],
      undefined,
      undefined,
    ],
    [
      'is followed where the policy that decided comes first',
      [
        { id: 'p', priority: 2, rules: ALLOW },
        { id: 'q', priority: 1, riskMode: 'always', decision: 'auto_approve' },
      ],
      'q',
      undefined,
    ],
    [
      'meets a list before the policy that decided',
      [
        { id: 'p', priority: 1, rules: ALLOW },
        { id: 'q', priority: 2, riskMode: 'always' },
      ],
      'q',
      'p',
    ],
  ])('%s', (_what, policies, decidedBy, against) => {
    const prepared = preparePolicies(policies.map((fields) => policyOf(fields)));
    const found = policyAgainst(prepared, callOf(), { host: 'docs.evil.example', decidedBy });
    expect(found?.id).toBe(against);
    if (against !== undefined) expect(hasHostRules(prepared, callOf())).toBe(true);
    expect(policyAgainst(prepared, callOf(), { host: 'acme.com', decidedBy })).toBeUndefined();
  });

  it('need not be judged without a list of hosts that blocks or asks', () => {
    const others = [
      { rules: { actionCategories: ['send'] } },
      { rules: DENY, decision: 'notify_only' as const },
      { rules: DENY, integrationNames: ['x'] },
    ];
    expect(hasHostRules(preparePolicies(others.map(policyOf)), callOf())).toBe(false);
  });
});
