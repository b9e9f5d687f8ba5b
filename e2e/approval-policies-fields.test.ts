// Shapes: local
import { type Api } from './support/api.js';
import { createPolicy, newPolicy, POLICIES } from './support/approvals.js';
import { type Drawbridge, drawbridge } from './support/drawbridge.js';
import { expectError, expectInvalid, TIMESTAMP, UNKNOWN_ID, UUID_V7 } from './support/expect.js';
import { newPerson } from './support/people.js';
import { newWorkspace } from './support/workspace-integrations.js';

let product: Drawbridge;
let api: Api;
let workspaceId: string;

beforeAll(async () => {
  product = await drawbridge();
  ({ api } = product);
  workspaceId = await newWorkspace(api);
});

const DEFAULTS = {
  workspaceId: null,
  description: null,
  enabled: true,
  priority: 100,
  sources: ['rest', 'sdk', 'mcp_tools', 'mcp_code'],
  mcpServerIds: [],
  workspaceIntegrationIds: [],
  integrationNames: [],
  integrationAliases: [],
  actionNames: [],
  connectionStrategies: [],
  endUserMode: 'any',
  decision: 'require_approval',
  riskMode: 'rules',
  rules: {},
  approvers: [],
  timeoutSeconds: 3600,
  defaultOnTimeout: 'reject',
  reuseWindowSeconds: null,
  approvalAccessMode: 'dashboard_and_hosted_link',
  metadata: null,
};

const WHOLE = {
  description: 'd'.repeat(1000),
  enabled: false,
  priority: 10_000,
  sources: ['playground', 'trigger'],
  mcpServerIds: ['m'],
  workspaceIntegrationIds: ['i'],
  integrationNames: ['github'],
  integrationAliases: ['gh'],
  actionNames: ['create_issue'],
  connectionStrategies: ['fixed'],
  endUserMode: 'no_end_user',
  decision: 'block',
  riskMode: 'model_assisted',
  rules: {
    actionCategories: ['delete'],
    amountThresholds: [{ path: 'amount', gt: 1.5 }],
    domainDenylist: ['evil.org'],
  },
  approvers: [{ type: 'end_user' }, { type: 'webhook', webhookUrl: 'https://hooks.acme.example/approvals?x=1' }],
  timeoutSeconds: 2_592_000,
  defaultOnTimeout: 'expire',
  reuseWindowSeconds: 0,
  approvalAccessMode: 'dashboard_only',
  metadata: { team: { name: 'a' } },
};

const stamps = { createdAt: expect.stringMatching(TIMESTAMP), updatedAt: expect.stringMatching(TIMESTAMP) };

describe('creating', () => {
  it('answers 201 with the whole record and its defaults', async () => {
    const { status, body } = await createPolicy(api, { name: 'Least' });
    expect(status).toBe(201);
    const owned = { id: expect.stringMatching(UUID_V7), orgId: product.orgId };
    expect(body).toEqual({ policy: { ...DEFAULTS, ...owned, ...stamps, name: 'Least' } });
  });

  it('stores every given field', async () => {
    const given = { ...WHOLE, workspaceId, name: '😀'.repeat(120) };
    const made = await newPolicy(api, given);
    expect(made).toEqual({ ...given, id: made.id, orgId: product.orgId, ...stamps });
    expect((await api.get(`${POLICIES}/${made.id}`)).body).toEqual({ policy: made });
    expect(
      await newPolicy(api, { workspaceId: null, description: null, metadata: null, reuseWindowSeconds: null }),
    ).toMatchObject(DEFAULTS);
  });

  it('names every problem of its form at once', async () => {
    expectInvalid(await api.post(POLICIES, {}), 'name');
    const wrong = {
      name: 'n'.repeat(121),
      workspaceId: 'x',
      description: 'd'.repeat(1001),
      enabled: 'no',
      priority: 10_001,
    };
    const modes = { endUserMode: 'all', decision: 'ask', riskMode: 'never', defaultOnTimeout: 'allow' };
    const times = { timeoutSeconds: 59, reuseWindowSeconds: 604_801, approvalAccessMode: 'public' };
    const lists = {
      sources: 'rest',
      actionNames: [7],
      rules: { colours: [] },
      approvers: [{ type: 'me' }],
      colour: 'red',
    };
    const { actionNames: _a, rules: _r, approvers: _p, ...plain } = lists;
    expectInvalid(
      await createPolicy(api, { ...wrong, ...modes, ...times, ...lists }),
      ...Object.keys({ ...wrong, ...modes, ...times, ...plain }),
      ...['actionNames[0]', 'rules.colours', 'approvers[0].type'],
    );
    const limits = { priority: [-1, 1.5], timeoutSeconds: [2_592_001], reuseWindowSeconds: [-1] };
    for (const [key, values] of Object.entries(limits))
      for (const value of values) expectInvalid(await createPolicy(api, { [key]: value }), key);
    expectInvalid(await createPolicy(api, { name: ' ' }), 'name');
  });

  it('names what its lists may not hold', async () => {
    const rules = { actionCategories: ['burn'], amountThresholds: [{ path: 'a' }], domainAllowlist: ['https://a.b'] };
    const answer = await createPolicy(api, {
      sources: ['rest', 'soap'],
      integrationNames: Array(101).fill('x'),
      rules,
    });
    const ofRules = ['actionCategories[0]', 'amountThresholds[0].gt', 'domainAllowlist[0]'].map(
      (key) => `rules.${key}`,
    );
    expectInvalid(answer, 'sources[1]', 'integrationNames', ...ofRules);
    expectInvalid(
      await createPolicy(api, { metadata: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [n, n])) }),
      'metadata',
    );
    const long = Array(100).fill('x'.repeat(255));
    expectInvalid(
      await createPolicy(api, { integrationNames: long, actionNames: long, integrationAliases: long }),
      'rules',
    );
  });

  it.each([
    'http://hooks.acme.example/',
    'https://localhost/hook',
    'https://127.0.0.1/hook',
    'https://[::1]/hook',
    'https://10.0.0.1/hook',
    'https://169.254.169.254/latest',
    'https://2130706433/',
    'https://ann:pass@hooks.acme.example/',
    'ftp://hooks.acme.example/',
    'hooks.acme.example',
  ])('refuses a webhook at %s', async (webhookUrl) => {
    expectInvalid(await createPolicy(api, { approvers: [{ type: 'webhook', webhookUrl }] }), 'approvers[0].webhookUrl');
  });

  it('accepts only members of the organization as approvers', async () => {
    const { userId } = (await api.get('/api/v1/members')).body.members[0];
    const approvers = [{ type: 'dashboard_user', userIds: [userId] }];
    expect((await newPolicy(api, { approvers })).approvers).toEqual(approvers);
    const stranger = (await newPerson(product)).userId;
    for (const id of [stranger, UNKNOWN_ID, 'x'])
      expectInvalid(
        await createPolicy(api, { approvers: [{ type: 'dashboard_user', userIds: [userId, id] }] }),
        'approvers[0].userIds[1]',
      );
  });

  it('needs a workspace that is there', async () => {
    for (const elsewhere of [await newWorkspace(product.other), UNKNOWN_ID])
      expectError(await createPolicy(api, { workspaceId: elsewhere }), 404, 'NOT_FOUND');
  });
});

describe('changing a policy', () => {
  it('updates the given fields, replaces lists, and accepts null for optional fields', async () => {
    const made = await newPolicy(api, {
      workspaceId,
      sources: ['rest'],
      actionNames: ['a', 'b'],
      rules: { actionCategories: ['send'] },
    });
    const changes = { sources: [], actionNames: ['c'], rules: { domainDenylist: ['evil.org'] }, enabled: false };
    const { body } = await api.patch(`${POLICIES}/${made.id}`, changes);
    expect(body).toEqual({ policy: { ...made, ...changes, updatedAt: expect.stringMatching(TIMESTAMP) } });
    const filled = { description: 'd', reuseWindowSeconds: 60, metadata: { a: 1 } };
    expect((await api.patch(`${POLICIES}/${made.id}`, filled)).body.policy).toMatchObject({
      ...filled,
      actionNames: ['c'],
    });
    const none = { description: null, reuseWindowSeconds: null, metadata: null, workspaceId: null };
    expect((await api.patch(`${POLICIES}/${made.id}`, none)).body.policy).toMatchObject({ ...none, name: made.name });
    expect((await api.get(`${POLICIES}/${made.id}`)).body.policy).toMatchObject(none);
  });

  it('is refused as a new one is', async () => {
    const { id } = await newPolicy(api, { workspaceId });
    expectError(await api.patch(`${POLICIES}/${id}`, {}), 400, 'VALIDATION_ERROR');
    const { name, enabled, sources, rules } = { name: null, enabled: null, sources: null, rules: null };
    expectInvalid(
      await api.patch(`${POLICIES}/${id}`, { name, enabled, sources, rules }),
      'name',
      'enabled',
      'sources',
      'rules',
    );
    expectInvalid(await api.patch(`${POLICIES}/${id}`, { priority: -1, colour: 'red' }), 'priority', 'colour');
    expectInvalid(await api.patch(`${POLICIES}/${id}`, { sources: ['soap'] }), 'sources[0]');
    const userIds = [(await newPerson(product)).userId];
    const approvers = [{ type: 'dashboard_user', userIds }];
    expectInvalid(await api.patch(`${POLICIES}/${id}`, { approvers }), 'approvers[0].userIds[0]');
    expectError(await api.patch(`${POLICIES}/${id}`, { workspaceId: UNKNOWN_ID }), 404, 'NOT_FOUND');
  });
});
