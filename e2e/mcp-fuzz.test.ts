// Shapes: none; in full: local
import fc from 'fast-check';
import { agentServer, type AgentServer, type Message, modernMessage, sendTo } from './support/agents.js';
import { anything } from './support/anything.js';
import { type Answer, apiWith } from './support/api.js';
import { drawbridge } from './support/drawbridge.js';
import { newIntegration, newWorkspace } from './support/workspace-integrations.js';

const TRIES = Number(process.env['MCP_TRIES'] ?? 60);

let server: AgentServer;
/** An MCP server in mode CODE, in which agents run programs instead of calling tools. */
let coding: AgentServer;

beforeAll(async () => {
  const { api } = await drawbridge();
  const workspaceId = await newWorkspace(api);
  await newIntegration(api, workspaceId, { alias: 'hash' });
  await newIntegration(api, workspaceId, { integrationName: 'kv-store', alias: 'kv' });
  server = await agentServer(api, workspaceId);
  coding = await agentServer(api, workspaceId, { mode: 'CODE' });
});

const HASH = { name: 'hash__hash', arguments: { text: 'hello', algorithm: 'sha256' } };
const KEYED = { tool: 'kv__set', arguments: { key: 'a', value: 'b' }, idempotencyKey: 'fuzz' };
/** A valid request for each method. */
const PARAMS: Record<string, [method: string, params: object]> = {
  'server/discover': ['server/discover', {}],
  initialize: ['initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x' } }],
  'tools/list': ['tools/list', { cursor: 'x' }],
  'a call': ['tools/call', { ...HASH, _meta: { progressToken: 1, 'svc/idempotencyKey': 'x' } }],
  'a call that was asked for': [
    'tools/call',
    { ...HASH, requestState: 'x', inputResponses: { page: { action: 'accept' } } },
  ],
  'a continued call': ['tools/call', { name: 'svc_continue', arguments: { ...KEYED, offset: 0 } }],
};

/** A valid request for each function of a server in mode CODE. */
const CODE_PARAMS: typeof PARAMS = {
  'a search': ['tools/call', { name: 'svc_search', arguments: { query: 'hash', limit: 5 } }],
  declarations: ['tools/call', { name: 'svc_read_api', arguments: { names: ['hash', 'svc.kv.set'] } }],
  'a run without a program': ['tools/call', { name: 'svc_execute', arguments: { waitForApprovalSeconds: 1 } }],
};

const legacy = (method: string, params: object): Message => ({
  body: { jsonrpc: '2.0', id: 1, method, params },
  headers: {},
});

/** Builds a message of a client that supports opening a page. */
const modern = (method: string, params: object): Message =>
  modernMessage({ method, params, capabilities: { elicitation: { url: {} } } });

const HEADERS = [
  'mcp-protocol-version',
  'mcp-method',
  'mcp-name',
  'accept',
  'mcp-session-id',
  'last-event-id',
  'origin',
];

const positionsOf = (value: unknown, at: string[] = []): string[][] =>
  typeof value !== 'object' || value === null
    ? [at]
    : [at, ...Object.entries(value).flatMap(([name, below]) => positionsOf(below, [...at, name]))];

/** Sets a value at a path of names. The path is a list, because names contain dots. */
function withValue(whole: any, [name, ...below]: string[], value: unknown): unknown {
  if (name === undefined) return value;
  return { ...whole, [name]: withValue(whole?.[name], below, value) };
}

/** Returns a string that a header can contain. */
const printable = (value: unknown): string =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).replace(/[^\x20-\x7e]/g, '?').slice(0, 2_000);

const idOf = (body: any): unknown => {
  const id = typeof body === 'object' && body !== null && !Array.isArray(body) ? body.id : null;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
};

/** Expects no body, or one JSON-RPC message with the id of the request, and never a server error. */
function expectMessage({ status, body }: Answer, sent: unknown): void {
  expect({ status, body: status >= 500 && body }).toEqual({ status: expect.any(Number), body: false });
  if (status === 202) return expect(body).toBeUndefined();
  expect(body).toMatchObject({ jsonrpc: '2.0' });
  // JSON writes -0 as 0.
  expect([idOf(sent), null].map(String)).toContain(String(body.id));
  expect(Object.keys(body).sort()).toEqual(['id', 'jsonrpc', 'result' in body ? 'result' : 'error'].sort());
  if (body.error) {
    expect(body.error).toMatchObject({ code: expect.any(Number), message: expect.any(String) });
    expect(body.error.code).not.toBe(-32603);
  }
}

describe.each(Object.entries({ modern, legacy }))('a generated message of a %s client', (_, toMessage) => {
  it.each(Object.entries({ ...PARAMS, ...CODE_PARAMS }))(
    'is answered with one message, whatever it contains: %s',
    async (kind, [method, params]) => {
      const to = kind in CODE_PARAMS ? coding : server;
      const good = toMessage(method, params);
      const positions = fc.constantFrom(...positionsOf(good.body), ['somethingElse'], ['params', '__proto__']);
      const changes = fc.array(fc.tuple(positions, anything), { maxLength: 3 });
      const headers = fc.dictionary(fc.constantFrom(...HEADERS), anything, { maxKeys: 2 });
      const property = fc.asyncProperty(changes, headers, async (mutations, others) => {
        const body = mutations.reduce((whole, [at, value]) => withValue(whole, at, value), good.body) ?? null;
        const own = Object.entries(others).map(([name, value]) => [name, printable(value).trim()]);
        expectMessage(await sendTo(to, body, { headers: { ...good.headers, ...Object.fromEntries(own) } }), body);
      });
      await fc.assert(property, { numRuns: TRIES });
    },
  );
});

it('a body that is not JSON is refused', async () => {
  const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' };
  const api = apiWith(server.baseUrl, headers);
  const property = fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 300 }), async (text) => {
    expectMessage(await api.send('POST', server.path, { text }), null);
  });
  await fc.assert(property, { numRuns: TRIES });
});

it('a made-up token is refused', async () => {
  const property = fc.asyncProperty(anything, anything, async (token, path) => {
    // Neither an existing server nor a server that does not exist accepts the token, so the response does not reveal which one exists.
    for (const at of [server.path, `/mcp/srv_${encodeURIComponent(printable(path))}`]) {
      const by = { ...server, token: printable(token).trim(), path: at };
      const { status } = await sendTo(by, { jsonrpc: '2.0', id: 1, method: 'tools/list' });
      expect(status).toBe(401);
    }
  });
  await fc.assert(property, { numRuns: TRIES });
});
