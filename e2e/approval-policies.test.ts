// Shapes: local
import { type Answer, type Api, apiOf } from './support/api.js';
import { type Drawbridge, drawbridge } from './support/drawbridge.js';
import { eventually } from './support/eventually.js';
import { expectError, expectInvalid, UNKNOWN_ID, TIMESTAMP, UUID_V7 } from './support/expect.js';
import { type Operations, testsOf } from './support/operation-cases.js';
import { fresh } from './support/owned-resources.js';
import { newPerson } from './support/people.js';
import { newWorkspace } from './support/workspace-integrations.js';

const { beforeAll, describe, it } = testsOf(import.meta);

const PATH = '/api/v1/approval-policies';
const ONE = { 'path.id': 'approvalPolicyId' } as const;

export const OPERATIONS: Operations = {
  ListApprovalPolicies: { call: ({ workspaceId }) => ({ query: { workspaceId } }) },
  CreateApprovalPolicy: { call: ({ workspaceId }) => ({ body: { name: fresh(), workspaceId } }) },
  GetApprovalPolicy: { call: ({ approvalPolicyId: id }) => ({ path: { id } }), ids: ONE },
  UpdateApprovalPolicy: {
    call: ({ approvalPolicyId: id, workspaceId }) => ({ path: { id }, body: { description: fresh(), workspaceId } }),
    ids: { ...ONE, 'body.workspaceId': 'workspaceId' },
  },
  DeleteApprovalPolicy: {
    call: async ({ api: by, workspaceId }) => ({ path: { id: (await create({ workspaceId }, by)).body.policy.id } }),
    ids: ONE,
  },
  TestApprovalPolicy: {
    call: ({ workspaceId }) => ({ body: { policy: { workspaceId }, context: { workspaceId } } }),
    ids: { 'body.policy.workspaceId': 'workspaceId' },
  },
};

let product: Drawbridge;
let api: Api;
let other: Api;
let workspaceId: string;

beforeAll(async () => {
  product = await drawbridge();
  ({ api, other } = product);
  workspaceId = await newWorkspace(api);
});

const create = (fields: object = {}, by = api): Promise<Answer> => by.post(PATH, { name: fresh(), ...fields });

async function policy(fields: object = {}, by = api): Promise<any> {
  const { status, body } = await create(fields, by);
  expect({ status, body }).toMatchObject({ status: 201 });
  return body.policy;
}

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
    const { status, body } = await create({ name: 'Least' });
    expect(status).toBe(201);
    const owned = { id: expect.stringMatching(UUID_V7), orgId: product.orgId };
    expect(body).toEqual({ policy: { ...DEFAULTS, ...owned, ...stamps, name: 'Least' } });
  });

  it('stores every given field', async () => {
    const given = { ...WHOLE, workspaceId, name: '😀'.repeat(120) };
    const made = await policy(given);
    expect(made).toEqual({ ...given, id: made.id, orgId: product.orgId, ...stamps });
    expect((await api.get(`${PATH}/${made.id}`)).body).toEqual({ policy: made });
    expect(
      await policy({ workspaceId: null, description: null, metadata: null, reuseWindowSeconds: null }),
    ).toMatchObject(DEFAULTS);
  });

  it('names every problem of its form at once', async () => {
    expectInvalid(await api.post(PATH, {}), 'name');
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
      await create({ ...wrong, ...modes, ...times, ...lists }),
      ...Object.keys({ ...wrong, ...modes, ...times, ...plain }),
      ...['actionNames[0]', 'rules.colours', 'approvers[0].type'],
    );
    const limits = { priority: [-1, 1.5], timeoutSeconds: [2_592_001], reuseWindowSeconds: [-1] };
    for (const [key, values] of Object.entries(limits))
      for (const value of values) expectInvalid(await create({ [key]: value }), key);
    expectInvalid(await create({ name: ' ' }), 'name');
  });

  it('names what its lists may not hold', async () => {
    const rules = { actionCategories: ['burn'], amountThresholds: [{ path: 'a' }], domainAllowlist: ['https://a.b'] };
    const answer = await create({ sources: ['rest', 'soap'], integrationNames: Array(101).fill('x'), rules });
    const ofRules = ['actionCategories[0]', 'amountThresholds[0].gt', 'domainAllowlist[0]'].map(
      (key) => `rules.${key}`,
    );
    expectInvalid(answer, 'sources[1]', 'integrationNames', ...ofRules);
    expectInvalid(
      await create({ metadata: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [n, n])) }),
      'metadata',
    );
    const long = Array(100).fill('x'.repeat(255));
    expectInvalid(await create({ integrationNames: long, actionNames: long, integrationAliases: long }), 'rules');
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
    expectInvalid(await create({ approvers: [{ type: 'webhook', webhookUrl }] }), 'approvers[0].webhookUrl');
  });

  it('accepts only members of the organization as approvers', async () => {
    const { userId } = (await api.get('/api/v1/members')).body.members[0];
    const approvers = [{ type: 'dashboard_user', userIds: [userId] }];
    expect((await policy({ approvers })).approvers).toEqual(approvers);
    const stranger = (await newPerson(product)).userId;
    for (const id of [stranger, UNKNOWN_ID, 'x'])
      expectInvalid(
        await create({ approvers: [{ type: 'dashboard_user', userIds: [userId, id] }] }),
        'approvers[0].userIds[1]',
      );
  });

  it('needs a workspace that is there', async () => {
    for (const elsewhere of [await newWorkspace(other), UNKNOWN_ID])
      expectError(await create({ workspaceId: elsewhere }), 404, 'NOT_FOUND');
  });
});

describe('changing a policy', () => {
  it('updates the given fields, replaces lists, and accepts null for optional fields', async () => {
    const made = await policy({
      workspaceId,
      sources: ['rest'],
      actionNames: ['a', 'b'],
      rules: { actionCategories: ['send'] },
    });
    const changes = { sources: [], actionNames: ['c'], rules: { domainDenylist: ['evil.org'] }, enabled: false };
    const { body } = await api.patch(`${PATH}/${made.id}`, changes);
    expect(body).toEqual({ policy: { ...made, ...changes, updatedAt: expect.stringMatching(TIMESTAMP) } });
    const filled = { description: 'd', reuseWindowSeconds: 60, metadata: { a: 1 } };
    expect((await api.patch(`${PATH}/${made.id}`, filled)).body.policy).toMatchObject({
      ...filled,
      actionNames: ['c'],
    });
    const none = { description: null, reuseWindowSeconds: null, metadata: null, workspaceId: null };
    expect((await api.patch(`${PATH}/${made.id}`, none)).body.policy).toMatchObject({ ...none, name: made.name });
    expect((await api.get(`${PATH}/${made.id}`)).body.policy).toMatchObject(none);
  });

  it('is refused as a new one is', async () => {
    const { id } = await policy({ workspaceId });
    expectError(await api.patch(`${PATH}/${id}`, {}), 400, 'VALIDATION_ERROR');
    const { name, enabled, sources, rules } = { name: null, enabled: null, sources: null, rules: null };
    expectInvalid(
      await api.patch(`${PATH}/${id}`, { name, enabled, sources, rules }),
      'name',
      'enabled',
      'sources',
      'rules',
    );
    expectInvalid(await api.patch(`${PATH}/${id}`, { priority: -1, colour: 'red' }), 'priority', 'colour');
    expectInvalid(await api.patch(`${PATH}/${id}`, { sources: ['soap'] }), 'sources[0]');
    const userIds = [(await newPerson(product)).userId];
    const approvers = [{ type: 'dashboard_user', userIds }];
    expectInvalid(await api.patch(`${PATH}/${id}`, { approvers }), 'approvers[0].userIds[0]');
    expectError(await api.patch(`${PATH}/${id}`, { workspaceId: UNKNOWN_ID }), 404, 'NOT_FOUND');
  });
});

describe('a policy', () => {
  it('is gone once deleted, and found nowhere else', async () => {
    const { id } = await policy();
    for (const place of [UNKNOWN_ID, (await policy({}, other)).id]) {
      expectError(await api.get(`${PATH}/${place}`), 404, 'NOT_FOUND');
      expectError(await api.patch(`${PATH}/${place}`, { name: 'x' }), 404, 'NOT_FOUND');
      expectError(await api.delete(`${PATH}/${place}`), 404, 'NOT_FOUND');
    }
    expect(await api.delete(`${PATH}/${id}`)).toMatchObject({ status: 200, body: { deleted: true, id } });
    expectError(await api.get(`${PATH}/${id}`), 404, 'NOT_FOUND');
  });

  it('is deleted with its workspace', async () => {
    const place = await newWorkspace(api);
    const { id } = await policy({ workspaceId: place });
    await api.delete(`/api/v1/workspaces/${place}`);
    await eventually(async () => expectError(await api.get(`${PATH}/${id}`), 404, 'NOT_FOUND'), 60_000);
  });

  it('is listed newest first, by the page, and by its workspace', async () => {
    const place = await newWorkspace(other);
    const before = (await other.get(PATH)).body.total;
    const made = [
      await policy({ workspaceId: place }, other),
      await policy({}, other),
      await policy({ workspaceId: place }, other),
    ];
    const [oldest, ofAll, newest] = made;
    expect((await other.get(`${PATH}?limit=2`)).body).toEqual({ policies: [newest, ofAll], total: before + 3 });
    expect((await other.get(`${PATH}?limit=1&offset=2`)).body).toEqual({ policies: [oldest], total: before + 3 });
    const own = await other.get(`${PATH}?workspaceId=${place}`);
    expect(own.body).toEqual({ policies: [newest, oldest], total: 2 });
    expectInvalid(await other.get(`${PATH}?limit=101&offset=-1&name=x`), 'limit', 'offset', 'name');
    for (const elsewhere of [workspaceId, UNKNOWN_ID])
      expectError(await other.get(`${PATH}?workspaceId=${elsewhere}`), 404, 'NOT_FOUND');
  });

  it('is in the audit log: made, changed and deleted', async () => {
    const { id, name } = await policy({ workspaceId });
    await api.patch(`${PATH}/${id}`, { enabled: false });
    await api.delete(`${PATH}/${id}`);
    await eventually(async () => {
      const { entries } = (await api.get(`/api/v1/audit-log?resourceId=${id}`)).body;
      expect(entries.map((entry: any) => [entry.action, entry.resource.name, entry.workspaceId])).toEqual(
        ['delete', 'update', 'create'].map((what) => [`approval_policy.${what}`, name, workspaceId]),
      );
    });
  });
});

describe('a key of single workspaces', () => {
  it('creates and changes policies of its workspace, and reads those of the organization', async () => {
    const permissions = { scope: 'workspace', workspaceIds: [workspaceId] };
    const { plainKey } = (await api.post('/api/v1/api-keys', { name: 'Narrow', permissions })).body;
    const key = apiOf(product.baseUrl, plainKey);
    const [ofAll, ofAnother] = [await policy(), await policy({ workspaceId: await newWorkspace(api) })];
    const own = await policy({ workspaceId }, key);
    expect((await key.get(`${PATH}/${ofAll.id}`)).body).toEqual({ policy: ofAll });
    expect((await key.get(PATH)).body.policies.map((one: any) => one.workspaceId)).not.toContain(null);
    expect((await key.patch(`${PATH}/${own.id}`, { name: 'Mine' })).body.policy.name).toBe('Mine');
    const refused = [
      key.post(PATH, { name: 'x' }),
      key.post(PATH, { name: 'x', workspaceId: ofAnother.workspaceId }),
      key.patch(`${PATH}/${ofAll.id}`, { name: 'x' }),
      key.patch(`${PATH}/${own.id}`, { workspaceId: null }),
      key.patch(`${PATH}/${own.id}`, { workspaceId: ofAnother.workspaceId }),
      key.delete(`${PATH}/${ofAll.id}`),
      key.get(`${PATH}/${ofAnother.id}`),
      key.get(`${PATH}?workspaceId=${ofAnother.workspaceId}`),
      key.post(`${PATH}/test`, { policy: {}, context: { workspaceId: ofAnother.workspaceId } }),
      key.post(`${PATH}/test`, { policy: { workspaceId: ofAnother.workspaceId }, context: {} }),
    ];
    for (const answer of await Promise.all(refused)) expectError(answer, 403, 'SCOPE_DENIED');
    expect((await key.delete(`${PATH}/${own.id}`)).status).toBe(200);
  });
});

describe('testing a policy', () => {
  const test = async (tried: object, context: object): Promise<any> => {
    const { status, body } = await api.post(`${PATH}/test`, { policy: tried, context });
    expect({ status, body }).toMatchObject({ status: 200 });
    return body;
  };
  const SEND = { integrationName: 'slack', actionName: 'send_message' };
  const CALL = { ...SEND, input: { channel: 'C024', text: 'see https://evil.org', blocks: [{ amount: 100 }] } };
  const SENDS = { actionCategories: ['send'] };
  const RULES: [rule: string, list: unknown[], said: string][] = [
    ['amountThresholds', [{ path: 'blocks.amount', gt: 99 }], 'blocks.amount is above 99'],
    ['recipientAllowlist', ['C025', '@acme.com'], 'channel contains a recipient that is not on the list'],
    ['domainAllowlist', ['acme.com'], 'text contains a host that is not on the list'],
    ['domainDenylist', ['evil.org'], 'text contains a host on the list'],
    ['storagePathPrefixes', ['see '], 'text begins with a listed prefix'],
  ];
  const NONE = 'rules: there are none, every call matches';
  const UNASKED = 'riskMode: model_assisted: no model is configured';

  it.each<[string, tried: object, context: object, decision: string, reason?: string]>([
    ['is what it says', { decision: 'block', riskMode: 'always' }, CALL, 'block', 'riskMode: always'],
    ['asks, by default', {}, {}, 'require_approval', NONE],
    [
      'knows what the action does',
      { rules: SENDS },
      CALL,
      'require_approval',
      expect.stringContaining('category send'),
    ],
    [
      'knows who receives',
      { rules: { recipientDenylist: ['C024'] } },
      CALL,
      'require_approval',
      expect.stringContaining('channel contains'),
    ],
    ...RULES.map(([name, list, said]): [string, object, object, string, string] => [
      `goes by ${name}`,
      { rules: { [name]: list } },
      CALL,
      'require_approval',
      `${name}: ${said}`,
    ]),
    ['knows nothing of an action that is nowhere', { rules: SENDS }, { ...SEND, actionName: 'x' }, 'allow'],
    ['holds to filters', { integrationAliases: ['chat'] }, CALL, 'allow'],
    ['holds to sources, which have a default', {}, { source: 'trigger' }, 'allow'],
    [
      'holds to an end user',
      { endUserMode: 'end_user_present', decision: 'notify_only' },
      { endUserId: 'ann' },
      'notify_only',
      NONE,
    ],
    ['is nothing while disabled', { enabled: false }, CALL, 'allow'],
    [
      'matches where no model is configured',
      { riskMode: 'model_assisted', rules: { actionCategories: ['read'] } },
      CALL,
      'require_approval',
      UNASKED,
    ],
  ])('%s', async (_what, ...[tried, context, decision, reason]) => {
    const reasons = reason === undefined ? [] : [reason];
    expect(await test(tried, context)).toEqual({ decision, matched: reason !== undefined, reasons });
  });

  it('evaluates a policy of a workspace like a stored one, and stores nothing', async () => {
    const { total } = (await api.get(PATH)).body;
    expect(await test({ workspaceId }, { workspaceId: workspaceId.toUpperCase() })).toMatchObject({ matched: true });
    expect(await test({ workspaceId }, { workspaceId: await newWorkspace(api) })).toMatchObject({ matched: false });
    expect((await api.get(PATH)).body.total).toBe(total);
  });

  it('names the problems of the policy and of the call', async () => {
    expectInvalid(await api.post(`${PATH}/test`, {}), 'policy', 'context');
    const context = { source: 'soap', connectionStrategy: 'x', input: [] };
    const places = ['source', 'connectionStrategy', 'input'].map((key) => `context.${key}`);
    expectInvalid(await api.post(`${PATH}/test`, { policy: { priority: -1 }, context }), 'policy.priority', ...places);
    expectInvalid(await api.post(`${PATH}/test`, { policy: { sources: ['soap'] }, context: {} }), 'policy.sources[0]');
    expectError(await api.post(`${PATH}/test`, { policy: {}, context: { workspaceId: UNKNOWN_ID } }), 404, 'NOT_FOUND');
    expectError(await api.post(`${PATH}/test`, { policy: { workspaceId: UNKNOWN_ID }, context: {} }), 404, 'NOT_FOUND');
  });
});
