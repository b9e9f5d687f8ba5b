// Shapes: local
import { agentServer, type AgentServer, legacy, LEGACY, modern, MODERN, sendTo } from './support/agents.js';
import { type Api, apiWith, misspelt } from './support/api.js';
import { type Drawbridge, drawbridge } from './support/drawbridge.js';
import { eventually } from './support/eventually.js';
import { expectError, UNKNOWN_ID } from './support/expect.js';
import { newIntegration, newWorkspace } from './support/workspace-integrations.js';

let product: Drawbridge;
let api: Api;
let workspaceId: string;
let server: AgentServer;

beforeAll(async () => {
  product = await drawbridge();
  ({ api } = product);
  workspaceId = await newWorkspace(api);
  await newIntegration(api, workspaceId, { alias: 'hash' });
  server = await agentServer(api, workspaceId, { name: 'Helpdesk', description: 'For those who help.' });
});

const error = (code: number, id: unknown = 1): object => ({
  jsonrpc: '2.0',
  id,
  error: expect.objectContaining({ code }),
});

describe('a client of 2026-07-28', () => {
  it('discovers the server without a handshake', async () => {
    const { status, body, headers } = await modern(server, { method: 'server/discover', id: 'a' });
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        ...{ jsonrpc: '2.0', id: 'a' },
        result: {
          ...{ resultType: 'complete', supportedVersions: [MODERN], capabilities: { tools: { listChanged: true } } },
          ...{
            ttlMs: expect.any(Number),
            cacheScope: 'private',
            instructions: expect.stringContaining('For those who help.'),
          },
          _meta: {
            'io.modelcontextprotocol/serverInfo': {
              name: 'drawbridge',
              title: 'Helpdesk',
              version: expect.any(String),
            },
          },
        },
      },
    });
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(Number(headers.get('x-ratelimit-limit'))).toBeGreaterThan(0);
  });

  it.each(['initialize', 'ping', 'logging/setLevel', 'prompts/list', 'resources/list', 'constructor', '__proto__'])(
    'has no method %s',
    async (method) => {
      expect(await modern(server, { method })).toMatchObject({ status: 404, body: error(-32601) });
    },
  );

  it('is refused where headers and body disagree, and for an unknown protocol version', async () => {
    const wrong = await modern(server, { headers: { 'mcp-method': 'tools/call' } });
    expect(wrong).toMatchObject({ status: 400, body: error(-32020) });
    const absent = await modern(server, { headers: { 'mcp-protocol-version': undefined } });
    expect(absent).toMatchObject({ status: 400, body: error(-32020) });
    const later = { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' };
    const params = { _meta: later };
    const unknown = await modern(server, { params, headers: { 'mcp-protocol-version': '2099-01-01' } });
    expect(unknown).toMatchObject({ status: 400, body: error(-32022) });
    expect(unknown.body.error.data).toEqual({ supported: [MODERN], requested: '2099-01-01' });
  });
});

describe('a client of an older protocol version', () => {
  it.each([
    [LEGACY, LEGACY],
    ['2025-06-18', '2025-06-18'],
    ['2025-03-26', '2025-03-26'],
    ['2024-11-05', '2024-11-05'],
    ['1999-01-01', LEGACY],
  ])('that requests %s continues with %s and needs no session', async (protocolVersion, agreed) => {
    const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'x', version: '1' } };
    const { status, body, headers } = await legacy(server, { method: 'initialize', params });
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        id: 1,
        result: { protocolVersion: agreed, capabilities: { tools: {} }, serverInfo: { title: 'Helpdesk' } },
      },
    });
    expect(headers.get('mcp-session-id')).toBeNull();
    const started = { jsonrpc: '2.0', method: 'notifications/initialized' };
    expect(await sendTo(server, started, { headers: { 'mcp-protocol-version': agreed } })).toMatchObject({
      status: 202,
      body: undefined,
    });
    expect((await legacy(server, { headers: { 'mcp-session-id': 'made-up' } })).status).toBe(200);
  });

  it('receives a ping result, and no methods or fields of the newest version', async () => {
    expect(await legacy(server, { method: 'ping' })).toMatchObject({
      status: 200,
      body: { jsonrpc: '2.0', id: 1, result: {} },
    });
    expect(await legacy(server, { method: 'server/discover' })).toMatchObject({ status: 200, body: error(-32601) });
    const { result } = (await legacy(server)).body;
    expect(Object.keys(result)).toEqual(['tools']);
  });

  it('is refused for an unknown protocol version', async () => {
    const answer = await legacy(server, { headers: { 'mcp-protocol-version': '1999-01-01' } });
    expect(answer).toMatchObject({ status: 400, body: error(-32000) });
  });
});

describe('an invalid message', () => {
  it.each<[string, unknown, number, number]>([
    ['a batch', [{ jsonrpc: '2.0', id: 1, method: 'ping' }], 400, -32600],
    ['a message that is not JSON-RPC', { id: 1, method: 'ping' }, 400, -32600],
  ])('is refused: %s', async (_, body, status, code) => {
    expect(await sendTo(server, body)).toMatchObject({ status, body: { jsonrpc: '2.0', error: { code } } });
  });

  it('is refused where it cannot be parsed', async () => {
    const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' };
    const send = (text: string, type = headers['content-type']) =>
      apiWith(server.baseUrl, headers).send('POST', server.path, { text, headers: { 'content-type': type } });
    expect(await send('{')).toMatchObject({ status: 400, body: error(-32700, null) });
    expect(await send('')).toMatchObject({ status: 400 });
    expect(await send('{}', 'text/plain')).toMatchObject({ status: 415, body: error(-32000, null) });
    const large = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', params: { x: 'x'.repeat(1_100_000) } });
    expect(await send(large)).toMatchObject({ status: 413, body: error(-32000) });
  });

  it.each(['GET', 'DELETE', 'PUT', 'OPTIONS'])('is refused with the method %s', async (method) => {
    const answer = await apiWith(server.baseUrl, { authorization: `Bearer ${server.token}` }).send(method, server.path);
    expect(answer).toMatchObject({ status: 405, body: error(-32000, null) });
    expect(answer.headers.get('allow')).toBe('POST');
  });
});

describe('authentication', () => {
  const refusedAt = async (changes: Partial<AgentServer>): Promise<string | null> => {
    const answer = await legacy({ ...server, ...changes });
    expect(answer).toMatchObject({
      status: 401,
      body: { jsonrpc: '2.0', error: { data: { code: 'UNAUTHENTICATED' } } },
    });
    expect(Number(answer.headers.get('x-ratelimit-limit'))).toBeGreaterThan(0);
    return answer.headers.get('www-authenticate');
  };

  it('requires a token of this server, and does not reveal whether a server exists', async () => {
    const beside = await agentServer(api, workspaceId);
    const invalid = 'Bearer error="invalid_token"';
    expect(await refusedAt({ token: beside.token })).toBe(invalid);
    expect(await refusedAt({ token: misspelt(server.token) })).toBe(invalid);
    expect(await refusedAt({ token: '' })).toBe(invalid);
    expect(await refusedAt({ path: `/mcp/srv_${UNKNOWN_ID}` })).toBe(invalid);
    expect(await refusedAt({ path: '/mcp/srv_x' })).toBe(invalid);
  });

  it('accepts no API key, and the API accepts no MCP token', async () => {
    expect(await refusedAt({ token: product.key })).toBe('Bearer error="invalid_token"');
    const asAgent = apiWith(server.baseUrl, { authorization: `Bearer ${server.token}` });
    expectError(await asAgent.get('/api/v1/workspaces'), 401, 'UNAUTHENTICATED');
    expectError(await asAgent.post('/api/v1/actions/execute', {}), 401, 'UNAUTHENTICATED');
  });

  it('offers no OAuth where it is disabled', async () => {
    const headers = { authorization: undefined };
    const answer = await legacy(server, { headers });
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    expect((await fetch(`${server.baseUrl}/.well-known/oauth-protected-resource${server.path}`)).status).toBe(404);
  });

  it('refuses requests from another site', async () => {
    const from = (headers: Record<string, string>) => legacy(server, { headers });
    expect(await from({ origin: 'https://evil.example.com' })).toMatchObject({ status: 403 });
    expect(await from({ origin: server.baseUrl })).toMatchObject({ status: 200 });
  });

  it('answers 403 while the server or its workspace is suspended', async () => {
    const other = await newWorkspace(api);
    const there = await agentServer(api, other);
    expect((await legacy(there)).status).toBe(200);
    await api.post(`/api/v1/workspaces/${other}/suspend`);
    await eventually(async () => {
      const refused = { error: { data: { details: { reason: 'suspended' } } } };
      expect(await legacy(there)).toMatchObject({ status: 403, body: refused });
    });
    await api.post(`/api/v1/workspaces/${other}/resume`);
    await eventually(async () => expect((await legacy(there)).status).toBe(200));
    await api.delete(`/api/v1/workspaces/${other}`);
    await eventually(() => refusedAt(there));
  });
});
