// Shapes: local; in full: processes
import { type Answer, type Api } from './support/api.js';
import { type Drawbridge, drawbridge } from './support/drawbridge.js';
import { expectError, expectInvalid, NOBODY, TIMESTAMP, UUID_V7 } from './support/expect.js';
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
    const whose = { id: expect.stringMatching(UUID_V7), orgId: product.orgId };
    expect(body).toEqual({ policy: { ...DEFAULTS, ...whose, ...stamps, name: 'Least' } });
  });

  it('keeps all that is given', async () => {
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
  ])('takes no webhook at %s', async (webhookUrl) => {
    expectInvalid(await create({ approvers: [{ type: 'webhook', webhookUrl }] }), 'approvers[0].webhookUrl');
  });

  it('takes members of the organization as approvers, and nobody else', async () => {
    const { userId } = (await api.get('/api/v1/members')).body.members[0];
    const approvers = [{ type: 'dashboard_user', userIds: [userId] }];
    expect((await policy({ approvers })).approvers).toEqual(approvers);
    const stranger = (await newPerson(product)).userId;
    for (const id of [stranger, NOBODY, 'x'])
      expectInvalid(
        await create({ approvers: [{ type: 'dashboard_user', userIds: [userId, id] }] }),
        'approvers[0].userIds[1]',
      );
  });

  it('needs a workspace that is there', async () => {
    for (const elsewhere of [await newWorkspace(other), NOBODY])
      expectError(await create({ workspaceId: elsewhere }), 404, 'NOT_FOUND');
  });
});
