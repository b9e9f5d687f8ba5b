import { policyProblems, type RequestedPolicy, sizeProblem } from './policy-problems.js';

const denies = (url: string): string | undefined => (url.startsWith('https://') ? undefined : 'must be public HTTPS');
const pathsOf = (wanted: RequestedPolicy): string[] => policyProblems(wanted, denies).map(([path]) => path);

const TEXT = '😀'.repeat(255);
const many = (count: number): string[] => Array.from({ length: count }, (_, index) => `n${index}`);

it.each<[string, RequestedPolicy]>([
  ['nothing', {}],
  ['empty lists', { sources: [], actionNames: [], rules: { domainDenylist: [] }, approvers: [] }],
  ['every source', { sources: ['rest', 'sdk', 'mcp_tools', 'mcp_code', 'playground', 'trigger'] }],
  ['every strategy', { connectionStrategies: ['fixed', 'per_user', 'per_user_with_fallback'] }],
  ['100 names of 255 characters', { integrationNames: Array(100).fill(TEXT) }],
  [
    'every rule',
    {
      rules: {
        actionCategories: ['read', 'write', 'delete', 'send', 'payment', 'admin', 'code'],
        amountThresholds: [{ path: 'a[0].b', gt: -0.5 }],
        recipientAllowlist: ['ann@acme.com', '@acme.com', 'C024', '#general'],
        recipientDenylist: many(100),
        domainAllowlist: ['acme.com', 'BÜCHER.example', 'localhost', '10.0.0.1', '[::1]'],
        domainDenylist: ['evil.org.'],
        storagePathPrefixes: ['prod/', '/', 'a b, c'],
      },
    },
  ],
  [
    'every approver',
    {
      approvers: [
        { type: 'org_role', roles: ['owner', 'admin', 'member'] },
        { type: 'dashboard_user', userIds: ['u'] },
        { type: 'end_user' },
        { type: 'webhook', webhookUrl: 'https://acme.com/hook' },
      ],
    },
  ],
  ['metadata', { metadata: { a: { b: [1] } } }],
  ['no metadata', { metadata: null }],
])('takes %s', (_what, wanted) => expect(policyProblems(wanted, denies)).toEqual([]));

it.each<[string, RequestedPolicy, string[]]>([
  ['what is no source', { sources: ['rest', 'soap'] }, ['sources[1]']],
  ['what is no strategy', { connectionStrategies: ['Fixed'] }, ['connectionStrategies[0]']],
  ['empty entries', { mcpServerIds: [''], actionNames: ['a', ''] }, ['mcpServerIds[0]', 'actionNames[1]']],
  ['256 characters', { integrationAliases: [`${TEXT}x`] }, ['integrationAliases[0]']],
  ['101 entries', { workspaceIntegrationIds: many(101) }, ['workspaceIntegrationIds']],
  [
    '11 webhooks',
    { approvers: many(11).map((name) => ({ type: 'webhook', webhookUrl: `https://${name}.example` })) },
    ['approvers'],
  ],
  ['what is no category', { rules: { actionCategories: ['burn'] } }, ['rules.actionCategories[0]']],
  [
    'half a threshold',
    { rules: { amountThresholds: [{ path: 'a' }, { gt: 1 }] } },
    ['rules.amountThresholds[0].gt', 'rules.amountThresholds[1].path'],
  ],
  [
    'a property without recipients',
    { rules: { recipientAllowlist: ['Ann <a@b.c>'], recipientDenylist: ['a@b.c,d@e.f'] } },
    ['rules.recipientAllowlist[0]', 'rules.recipientDenylist[0]'],
  ],
  [
    'what is no host',
    { rules: { domainAllowlist: ['https://acme.com', '*.acme.com', '.acme.com'], domainDenylist: ['a b', 'a..b'] } },
    [0, 1, 2]
      .map((index) => `rules.domainAllowlist[${index}]`)
      .concat(['rules.domainDenylist[0]', 'rules.domainDenylist[1]']),
  ],
  ['101 approvers', { approvers: Array(101).fill({ type: 'end_user' }) }, ['approvers']],
  ['an approver of no type', { approvers: [{}] }, ['approvers[0].type']],
  ['an approver of another type', { approvers: [{ type: 'unknown' }] }, ['approvers[0].type']],
  [
    'approvers without what they need',
    { approvers: [{ type: 'org_role' }, { type: 'dashboard_user', userIds: [] }, { type: 'webhook' }] },
    ['approvers[0].roles', 'approvers[1].userIds', 'approvers[2].webhookUrl'],
  ],
  [
    'what another type needs',
    {
      approvers: [
        { type: 'end_user', roles: ['owner'] },
        { type: 'org_role', roles: ['owner'], webhookUrl: 'https://a.b' },
      ],
    },
    ['approvers[0].roles', 'approvers[1].webhookUrl'],
  ],
  ['a role of no member', { approvers: [{ type: 'org_role', roles: ['owner', 'guest'] }] }, ['approvers[0].roles[1]']],
  [
    'a webhook that is denied',
    { approvers: [{ type: 'webhook', webhookUrl: 'http://a.b' }] },
    ['approvers[0].webhookUrl'],
  ],
  ['51 keys of metadata', { metadata: Object.fromEntries(many(51).map((key) => [key, 1])) }, ['metadata']],
])('refuses %s, by its path', (_what, wanted, paths) => expect(pathsOf(wanted)).toEqual(paths));

it('measures filters, rules and approvers together, in bytes', () => {
  const list = Array<string>(64).fill('x'.repeat(254));
  const policy = { sources: ['rest'], actionNames: list, rules: { domainDenylist: list, recipientDenylist: list } };
  expect(sizeProblem({ ...policy, metadata: { much: 'x'.repeat(16_000) } })).toBeUndefined();
  expect(sizeProblem({ ...policy, integrationNames: list })).toContain('at most 65536 bytes');
  expect(sizeProblem({ ...policy, integrationNames: list.slice(0, 10).map(() => 'ü'.repeat(1_000)) })).toContain(
    '65536',
  );
});
