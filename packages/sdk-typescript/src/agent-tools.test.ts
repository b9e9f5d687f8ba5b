import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { processorTime } from '@drawbridge/testkit';
import { type AgentTool, agentTools, type ToolOptions } from './agent-tools.js';
import { ValidationError } from './gen/errors.js';
import { Drawbridge } from './client.js';
import { type Reply, testServer, type TestServer } from './testing/server.js';
import { errorText } from './tool-texts.js';

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

describe('the key of an approved call', () => {
  const approval = (key: string): Reply => {
    const links = { approvalUrl: 'http://a', hostedApprovalUrl: null, expiresAt: '2026-01-01T00:00:00.000Z' };
    const asked = { id: 'apr_1', status: 'pending', ...links, retry: { idempotencyKey: key } };
    return { status: 202, body: { success: false, status: 'approval_required', approval: asked } };
  };
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
    ['FORBIDDEN by a policy', refusal(403, 'FORBIDDEN', { policyId: 'p' })],
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

  it('belongs to one call: the same call beside it asks for its own approval', async () => {
    server.reply(approval('k-1'), EXECUTED, approval('k-2'));
    await tool.call({ n: 1 });
    await Promise.all([tool.call({ n: 1 }), tool.call({ n: 1 })]);
    const [, second, third] = server.received.map(({ body }) => body.idempotencyKey);
    expect([second, third].filter((key) => key === 'k-1')).toHaveLength(1);
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

it('makes texts of errors in time linear in their fields', () => {
  const refused = (count: number): ValidationError => {
    const fields = Object.fromEntries(
      Array.from({ length: count }, (_, at) => [`input.${at}`, { message: 'is wrong' }]),
    );
    const refusal = { message: 'Wrong', status: 400, details: { fields }, headers: new Headers() };
    return new ValidationError({ code: 'VALIDATION_ERROR', ...refusal });
  };
  const costOf = (error: ValidationError): number => processorTime(() => errorText('tool', error));
  const [small, large] = [refused(10_000), refused(80_000)];
  costOf(small); // Compiles.
  expect(costOf(large) / costOf(small)).toBeLessThan(8 * 4);
});
