// Shapes: local
import { type Api } from './support/api.js';
import { POLICIES } from './support/approvals.js';
import { drawbridge } from './support/drawbridge.js';
import { expectError, expectInvalid, UNKNOWN_ID } from './support/expect.js';
import { newWorkspace } from './support/workspace-integrations.js';

let api: Api;
let workspaceId: string;

beforeAll(async () => {
  ({ api } = await drawbridge());
  workspaceId = await newWorkspace(api);
});

describe('testing a policy', () => {
  const test = async (tried: object, context: object): Promise<any> => {
    const { status, body } = await api.post(`${POLICIES}/test`, { policy: tried, context });
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
    const { total } = (await api.get(POLICIES)).body;
    expect(await test({ workspaceId }, { workspaceId: workspaceId.toUpperCase() })).toMatchObject({ matched: true });
    expect(await test({ workspaceId }, { workspaceId: await newWorkspace(api) })).toMatchObject({ matched: false });
    expect((await api.get(POLICIES)).body.total).toBe(total);
  });

  it('names the problems of the policy and of the call', async () => {
    expectInvalid(await api.post(`${POLICIES}/test`, {}), 'policy', 'context');
    const context = { source: 'soap', connectionStrategy: 'x', input: [] };
    const places = ['source', 'connectionStrategy', 'input'].map((key) => `context.${key}`);
    expectInvalid(
      await api.post(`${POLICIES}/test`, { policy: { priority: -1 }, context }),
      'policy.priority',
      ...places,
    );
    expectInvalid(
      await api.post(`${POLICIES}/test`, { policy: { sources: ['soap'] }, context: {} }),
      'policy.sources[0]',
    );
    expectError(
      await api.post(`${POLICIES}/test`, { policy: {}, context: { workspaceId: UNKNOWN_ID } }),
      404,
      'NOT_FOUND',
    );
    expectError(
      await api.post(`${POLICIES}/test`, { policy: { workspaceId: UNKNOWN_ID }, context: {} }),
      404,
      'NOT_FOUND',
    );
  });
});
