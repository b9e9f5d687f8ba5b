// Shapes: local; in full: processes
import {
  agentServer,
  type AgentServer,
  legacy,
  modern,
  modernMessage,
  officialClient,
  type Raw,
} from './support/agents.js';
import { type Api } from './support/api.js';
import { drawbridge } from './support/drawbridge.js';
import { MCP_SERVERS } from './support/mcp-servers.js';
import { newIntegration, newWorkspace } from './support/workspace-integrations.js';

const LISTEN = { method: 'subscriptions/listen', params: { notifications: { toolsListChanged: true } } };
/** The maximum number of listeners of one organization. */
const PLACES = 50;

let api: Api;
let workspaceId: string;
let server: AgentServer;

beforeAll(async () => {
  ({ api } = await drawbridge());
  workspaceId = await newWorkspace(api);
  await newIntegration(api, workspaceId);
});
beforeEach(async () => {
  server = await agentServer(api, workspaceId);
});

it('a listening official client is notified when the list changes', async () => {
  let notify = (_names: string[]): void => undefined;
  const names = new Promise<string[]>((resolve) => (notify = resolve));
  const onChanged = (_error: unknown, tools: { name: string }[] | null): void =>
    notify(tools?.map(({ name }) => name) ?? []);
  const client = await officialClient(server, {
    versionNegotiation: { mode: 'auto' },
    listChanged: { tools: { onChanged } },
  });
  await newIntegration(api, workspaceId, { integrationName: 'kv-store', alias: 'kv' });
  expect(await names).toContain('kv__get');
  await client.close();
});

it('a stream ends with a final message when its server is deleted', async () => {
  const stream = await openStream(server, { ...LISTEN, id: 'of-this' });
  await api.delete(`${MCP_SERVERS}/${server.serverId}`);
  expect({ status: stream.status, type: stream.headers.get('content-type') }).toEqual({
    status: 200,
    type: 'text/event-stream',
  });
  const messages = (await stream.text())
    .split('\n')
    .flatMap((line) => (line.startsWith('data: ') ? [JSON.parse(line.slice(6))] : []));
  const _meta = { 'io.modelcontextprotocol/subscriptionId': 'of-this' };
  expect(messages).toEqual([
    {
      jsonrpc: '2.0',
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: { toolsListChanged: true }, _meta },
    },
    { jsonrpc: '2.0', id: 'of-this', result: { resultType: 'complete', _meta } },
  ]);
});

it('a stream ends at once where it has no notifications, and is unsupported for older clients', async () => {
  const { body } = await modern(server, { ...LISTEN, params: { notifications: { promptsListChanged: true } } });
  expect(body).toMatch(/"notifications":\{\}[\s\S]*"resultType":"complete"/);
  const refused = { status: 200, body: { error: { code: -32602 } } };
  expect(await modern(server, { ...LISTEN, params: {} })).toMatchObject(refused);
  expect(await legacy(server, LISTEN)).toMatchObject({ body: { error: { code: -32601 } } });
  const { body: before } = await legacy(server, { method: 'initialize' });
  expect(before.result.capabilities).toEqual({ tools: {} });
});

it('the number of streams is limited, and other requests are still served', async () => {
  const leave = new AbortController();
  const listening = Array.from({ length: PLACES + 1 }, () =>
    modern(server, { ...LISTEN, signal: leave.signal }).catch(() => undefined),
  );
  const refused = await Promise.race(listening);
  expect(refused).toMatchObject({ status: 429, body: { error: { code: -32000 } } });
  expect((await modern(server)).status).toBe(200);
  leave.abort();
  await Promise.all(listening);
});

/** Resolves when the gateway has accepted the stream, so that later requests cannot overtake it. */
function openStream({ baseUrl, path, token }: AgentServer, raw: Raw): Promise<Response> {
  const { body, headers } = modernMessage(raw);
  return fetch(baseUrl + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}
