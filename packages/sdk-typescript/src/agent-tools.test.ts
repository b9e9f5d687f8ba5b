import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AgentTool, agentTools, type ToolOptions } from './agent-tools.js';
import { Drawbridge } from './client.js';
import { type Reply, testServer, type TestServer } from './testing/server.js';

const integration = (name: string, actions: string[]): object => ({
  ...{ name, displayName: name.toUpperCase() },
  actions: Object.fromEntries(actions.map((action) => [action, { name: action, description: '', props: {} }])),
});
/** The actions of an instance and the names of their tools. The tests of the Python SDK read them too: both SDKs must give a tool the same name. */
const { actions: ACTIONS, names: NAMES }: { actions: Record<string, string[]>; names: Record<string, string> } =
  JSON.parse(readFileSync(join(import.meta.dirname, 'testing/tool-names.json'), 'utf8'));
const CATALOG: Reply = {
  body: {
    integrations: Object.entries(ACTIONS).map(([name, actions]) => integration(name, actions)),
    total: Object.keys(ACTIONS).length,
    registered: [],
  },
};
const EXECUTED: Reply = { body: { success: true, output: 1, duration: 1 } };

let server: TestServer;
let client: Drawbridge<Record<string, Record<string, object>>>;
beforeAll(async () => {
  server = await testServer();
  client = new Drawbridge({ baseUrl: server.url, workspaceId: 'w', maxRetries: 0 });
});
beforeEach(() => server.reply(CATALOG));
afterAll(() => server.stop());

type Patterns = ToolOptions<Record<string, Record<string, object>>>['actions'];

/** Returns the name of each tool by the action that it runs. */
async function namesOf(actions: Patterns): Promise<Record<string, string>> {
  const tools = await agentTools(client, { actions });
  server.reply(EXECUTED);
  for (const { call } of tools) await call({});
  const ran = server.received.map(({ body }) => `${body.integrationName}.${body.actionName}`);
  server.reply(CATALOG);
  return Object.fromEntries(tools.map(({ name }, at) => [ran[at]!, name]));
}

describe('agentTools', () => {
  it('gives each action a valid name of its own, in any order of the patterns', async () => {
    const patterns = Object.keys(ACTIONS).map((name) => `${name}.*` as const);
    expect(await namesOf(patterns)).toEqual(NAMES);
    expect(await namesOf([...patterns].reverse())).toEqual(NAMES);
    expect(await namesOf(Object.keys(NAMES) as Patterns)).toEqual(NAMES);
    expect(Object.values(NAMES).filter((name) => !/^[a-zA-Z0-9_]{1,64}$/.test(name))).toEqual([]);
    expect(new Set(Object.values(NAMES)).size).toBe(Object.keys(NAMES).length);
  });

  it('describes an action that has no description', async () => {
    expect((await agentTools(client, { actions: ['a.b_c'] }))[0]).toMatchObject({ description: 'A: b_c' });
  });

  it.each(['c.d', 'a.none', 'a', '.*', '__proto__.*'])('refuses %s', async (pattern) => {
    await expect(namesOf([pattern as 'a.b'])).rejects.toThrow(/The instance has no integration|has no action/i);
  });
});

/** The errors of the API, and the text of each for a model; null for one that is thrown. The tests of the Python SDK read them too. */
const ERRORS: { status: number; code: string; details: object; text: string | null }[] = JSON.parse(
  readFileSync(join(import.meta.dirname, 'testing/tool-texts.json'), 'utf8'),
);

describe('a call of a tool', () => {
  it.each(ERRORS)('gives $code with $details as $text', async ({ status, code, details, text }) => {
    const [tool] = await agentTools(client, { actions: ['a-b-c.d'] });
    server.reply({ status, body: { error: 'No', code, details } });
    const result = await tool!.call({}).catch((error: { code: string }) => ({ thrown: error.code }));
    expect(result).toEqual(text ?? { thrown: code });
  });

  it.each([
    [{ hostedApprovalUrl: 'http://h', approvalUrl: 'http://a' }, 'Ask the user to decide at http://h before'],
    [{ hostedApprovalUrl: null, approvalUrl: 'http://a' }, 'Ask the user to decide at http://a before'],
    [{ hostedApprovalUrl: null, approvalUrl: null }, 'Ask the user to decide before'],
  ])('names the approval of %j, and reports it to the program', async (links, request) => {
    const notified: string[] = [];
    const onApprovalRequired = async ({ id }: { id: string }): Promise<void> => {
      await new Promise(setImmediate);
      notified.push(id);
    };
    const [tool] = await agentTools(client, { actions: ['a-b-c.d'], onApprovalRequired });
    server.reply(approval('k-1', links));
    expect(await tool!.call({})).toBe(
      `A person must approve this first. a_b_c_d did not run. ${request} 2026-01-01T00:00:00.000Z. After the approval, call a_b_c_d again with exactly the same arguments.`,
    );
    expect(notified).toEqual(['apr_1']);
  });

  it.each(['return', 'wait'] as const)('sends the selectors of its options with onApproval %s', async (onApproval) => {
    const selectors = {
      ...{ workspaceId: 'own', connectionExternalId: 'c', workspaceIntegrationId: 'i', integrationAlias: 'l' },
      ...{ endUserId: 'e', partialIds: ['p'] },
    };
    const [tool] = await agentTools(client, { actions: ['a-b-c.d'], onApproval, pollMs: 1, ...selectors });
    server.reply(EXECUTED);
    expect(await tool!.call({ n: 1 })).toBe(1);
    const { idempotencyKey, ...sent } = server.received[0]!.body;
    expect(sent).toEqual({ ...selectors, integrationName: 'a-b-c', actionName: 'd', input: { n: 1 } });
    expect(idempotencyKey).toEqual(expect.any(String));
  });
});

it.each(['approved', 'rejected'])('waits until its approval is %s', async (status) => {
  const asked: string[] = [];
  const onApprovalRequired = ({ id }: { id: string }): void => void asked.push(id);
  const options = { actions: ['a-b-c.d'], onApproval: 'wait', onApprovalRequired, pollMs: 1 } as const;
  const [tool] = await agentTools(client, options);
  const shown = (decided: string): Reply => ({
    body: { approval: { id: 'apr_1', status: decided, decisionReason: 'Why' } },
  });
  server.reply(approval('k-1'), shown('pending'), shown(status), EXECUTED);
  const text =
    'a_b_c_d did not run. Approval apr_1 is rejected: Why. Do not call it again unless the user asks for it.';
  expect(await tool!.call({})).toBe(status === 'approved' ? 1 : text);
  expect(asked).toEqual(['apr_1']);
  expect(server.received[3]?.body.idempotencyKey).toBe(status === 'approved' ? 'k-1' : undefined);
});

it('ends the requests of a call that waits for its approval when it is aborted', async () => {
  const [tool] = await agentTools(client, { actions: ['a-b-c.d'], onApproval: 'wait', pollMs: 1 });
  server.reply(approval('k-1'), { kind: 'hangs' });
  await expect(tool!.call({}, AbortSignal.timeout(500))).rejects.toMatchObject({ name: 'TimeoutError' });
  expect(server.received.map(({ path }) => path)).toEqual(['/api/v1/actions/execute', '/api/v1/approvals/apr_1']);
});

function approval(key: string, links: object = {}): Reply {
  const about = { id: 'apr_1', status: 'pending', expiresAt: '2026-01-01T00:00:00.000Z', ...links };
  const asked = { ...about, retry: { idempotencyKey: key } };
  return { status: 202, body: { success: false, status: 'approval_required', approval: asked } };
}

describe('the key of an approved call', () => {
  const refusal = (status: number, code: string, details: object = {}): Reply => ({
    status,
    body: { error: 'No', code, details },
  });
  const fieldError = { fields: { 'input.a': { message: 'is wrong' } } };

  let tool: AgentTool;
  beforeEach(async () => {
    tool = (await agentTools(client, { actions: ['a.b_c'] }))[0]!;
  });

  /** Calls the tool once for each reply. Returns the key of each request. */
  async function keysOf(...replies: Reply[]): Promise<string[]> {
    server.reply(...replies);
    for (const _ of replies) await tool.call({ n: 1 }).catch(() => undefined);
    return server.received.map(({ body }) => body.idempotencyKey);
  }

  it.each<[string, Reply]>([
    ['no response', { kind: 'breaks' }],
    ['TIMEOUT', refusal(504, 'TIMEOUT')],
    ['INTERNAL with an unknown outcome', refusal(500, 'INTERNAL', { reason: 'outcome_unknown' })],
    ['UNAVAILABLE', refusal(503, 'UNAVAILABLE')],
    ['RATE_LIMITED', refusal(429, 'RATE_LIMITED')],
    ['DUPLICATE in progress', refusal(409, 'DUPLICATE', { reason: 'in_progress' })],
    ['UNAUTHENTICATED', refusal(401, 'UNAUTHENTICATED')],
    ['FORBIDDEN by a policy, which can be removed', refusal(403, 'FORBIDDEN', { policyId: 'p' })],
    ['FORBIDDEN without a policy', refusal(403, 'FORBIDDEN')],
    ['the page of a proxy', { status: 502, text: '<h1>Bad gateway</h1>' }],
  ])('is kept after %s', async (_, reply) => {
    const [, second, third, fourth] = await keysOf(approval('k-1'), reply, EXECUTED, EXECUTED);
    expect([second, third]).toEqual(['k-1', 'k-1']);
    expect(fourth).not.toBe('k-1');
  });

  it.each<[string, Reply]>([
    ['ACTION_FAILED', refusal(400, 'ACTION_FAILED', { retryable: true })],
    ['VALIDATION_ERROR', refusal(400, 'VALIDATION_ERROR', fieldError)],
    ['FORBIDDEN, because another call used the approval', refusal(403, 'FORBIDDEN', { reason: 'used' })],
    ['FORBIDDEN, because the approval has expired', refusal(403, 'FORBIDDEN', { reason: 'expired' })],
  ])('is not used again after %s', async (_, reply) => {
    const [, second, third] = await keysOf(approval('k-1'), reply, EXECUTED);
    expect(second).toBe('k-1');
    expect(third).not.toBe('k-1');
  });

  it('is replaced by that of a new approval', async () => {
    expect((await keysOf(approval('k-1'), approval('k-2'), EXECUTED)).slice(1)).toEqual(['k-1', 'k-2']);
  });

  it('is kept when the call is aborted', async () => {
    server.reply(approval('k-1'), { kind: 'hangs' }, EXECUTED);
    await tool.call({ n: 1 });
    await expect(tool.call({ n: 1 }, AbortSignal.timeout(100))).rejects.toThrow();
    await tool.call({ n: 1 });
    expect(server.received.slice(1).map(({ body }) => body.idempotencyKey)).toEqual(['k-1', 'k-1']);
  });

  it('belongs to a list, not to an object with the same items', async () => {
    server.reply(approval('k-1'), EXECUTED);
    for (const list of [['x'], { 0: 'x' }]) await tool.call({ list });
    expect(server.received[1]!.body.idempotencyKey).not.toBe('k-1');
  });

  it('belongs to one call: the same call beside it asks for its own approval', async () => {
    server.reply(approval('k-1'), EXECUTED, approval('k-2'));
    await tool.call({ n: 1 });
    await Promise.all([tool.call({ n: 1 }), tool.call({ n: 1 })]);
    const [, second, third] = server.received.map(({ body }) => body.idempotencyKey);
    expect([second, third].filter((key) => key === 'k-1')).toHaveLength(1);
  });

  it('is that of the same input in any order of its keys, and of no other input', async () => {
    server.reply(approval('k-1'), approval('k-2'), EXECUTED);
    const input = { a: [{ x: 1, y: 2 }], b: null };
    for (const one of [input, { ...input, c: 1 }, { b: null, a: [{ y: 2, x: 1 }] }, { c: 1, ...input }])
      await tool.call(one);
    const [, second, third, fourth] = server.received.map(({ body }) => body.idempotencyKey);
    expect(second).not.toBe('k-1');
    expect([third, fourth]).toEqual(['k-1', 'k-2']);
  });

  it('is kept longer if its approval is renewed', async () => {
    server.reply(...Array.from({ length: 102 }, (_, at) => approval(`k-${at}`)), EXECUTED);
    for (const n of [...Array(100).keys(), 0, 100]) await tool.call({ n });
    await tool.call({ n: 0 });
    expect(server.received.at(-1)!.body.idempotencyKey).toBe('k-100');
  });

  it('is kept for the last 100 open approvals', async () => {
    server.reply(...Array.from({ length: 101 }, (_, at) => approval(`k-${at}`)), EXECUTED);
    for (let at = 0; at <= 100; at++) await tool.call({ n: at });
    for (const n of [0, 1, 100]) await tool.call({ n });
    const [evicted, oldest, newest] = server.received.slice(-3).map(({ body }) => body.idempotencyKey);
    expect([oldest, newest]).toEqual(['k-1', 'k-100']);
    expect(evicted).not.toBe('k-0');
  });
});
