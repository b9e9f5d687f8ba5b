// Shapes: local
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Api } from './support/api.js';
import { type Drawbridge, drawbridge } from './support/drawbridge.js';
import { expectError, expectInvalid, NOBODY } from './support/expect.js';
import { newWorkspace } from './support/workspace-integrations.js';

const PATH = '/api/v1/approval-policies';

let product: Drawbridge;
let api: Api;
let workspaceId: string;

beforeAll(async () => {
  product = await drawbridge();
  ({ api } = product);
  workspaceId = await newWorkspace(api);
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
    ['recipientAllowlist', ['C025', '@acme.com'], 'channel names somebody outside it'],
    ['domainAllowlist', ['acme.com'], 'text names a host outside it'],
    ['domainDenylist', ['evil.org'], 'text names a host on it'],
    ['storagePathPrefixes', ['see '], 'text begins with one of them'],
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
      expect.stringContaining('channel names'),
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

  it('is of a workspace as a stored one is, and stores nothing', async () => {
    const { total } = (await api.get(PATH)).body;
    expect(await test({ workspaceId }, { workspaceId: workspaceId.toUpperCase() })).toMatchObject({ matched: true });
    expect(await test({ workspaceId }, { workspaceId: await newWorkspace(api) })).toMatchObject({ matched: false });
    expect((await api.get(PATH)).body.total).toBe(total);
  });

  it('names what is wrong with policy and call', async () => {
    expectInvalid(await api.post(`${PATH}/test`, {}), 'policy', 'context');
    const context = { source: 'soap', connectionStrategy: 'x', input: [] };
    const places = ['source', 'connectionStrategy', 'input'].map((key) => `context.${key}`);
    expectInvalid(await api.post(`${PATH}/test`, { policy: { priority: -1 }, context }), 'policy.priority', ...places);
    expectInvalid(await api.post(`${PATH}/test`, { policy: { sources: ['soap'] }, context: {} }), 'policy.sources[0]');
    expectError(await api.post(`${PATH}/test`, { policy: {}, context: { workspaceId: NOBODY } }), 404, 'NOT_FOUND');
    expectError(await api.post(`${PATH}/test`, { policy: { workspaceId: NOBODY }, context: {} }), 404, 'NOT_FOUND');
  });
});

it('docs/approvals.md shows commands that work as they stand there', async () => {
  const page = readFileSync(join(import.meta.dirname, '../docs/approvals.md'), 'utf8');
  const blocks = [...page.matchAll(/```sh\n(.*?)```/gs)].map(([, block]) => block).join('\n');
  const env = { ...process.env, BASE_URL: product.baseUrl, DRAWBRIDGE_KEY: product.key };
  const { stdout } = await promisify(execFile)('sh', ['-ec', blocks], { env });
  expect(stdout).toContain(/^# (\{.*)$/m.exec(blocks)![1]);
  expect(stdout).toContain('"name":"Payments above 1,000"');
});
