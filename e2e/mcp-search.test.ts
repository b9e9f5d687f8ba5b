// Shapes: local
import { readFileSync } from 'node:fs';
import { agentServer, type AgentServer, call, modern, officialClient } from './support/agents.js';
import { type Api } from './support/api.js';
import { newPolicy } from './support/approvals.js';
import { type AskedProduct, askedProduct } from './support/asked-product.js';
import { MCP_SERVERS } from './support/mcp-servers.js';
import { newIntegration } from './support/workspace-integrations.js';

/** The request body in docs/mcp.md, so that the test verifies the documented example. */
const DOCS = readFileSync(new URL('../docs/mcp.md', import.meta.url), 'utf8');
const SEARCH = JSON.parse(/```json\n(\{ "settings".+)\n```/.exec(DOCS)![1]!);

let its: AskedProduct;
let api: Api;
let server: AgentServer;

beforeAll(async () => {
  its = await askedProduct();
  ({ api } = its);
  await newIntegration(api, its.workspaceId, { integrationName: 'kv-store', alias: 'kv' });
  server = await agentServer(api, its.workspaceId, SEARCH);
});
afterAll(() => its?.stop());
beforeEach(() => its.thirdParty.reset());

const listedBy = async (at: AgentServer): Promise<string[]> =>
  (await modern(at)).body.result.tools.map(({ name }: { name: string }) => name);
const found = async (args: object): Promise<any> => (await call(server, 'svc_search', args)).structuredContent;
const invoke = (tool: unknown, args?: unknown, raw = {}): Promise<any> =>
  call(server, 'svc_call', { tool, arguments: args }, raw);

it('a server with discovery by search lists svc_search and svc_call in place of its tools', async () => {
  expect(await listedBy(server)).toEqual(['svc_search', 'svc_call', 'svc_continue', 'svc_options']);
  const client = await officialClient(server, { versionNegotiation: { mode: 'auto' } });
  expect((await client.listTools()).tools).toHaveLength(4);
  expect(client.getInstructions()).toMatch(/^Find tools with svc_search, then call them with svc_call\. /);
  await client.close();
});

it('settings.tools.discovery is list by default, can be changed, and takes effect at once', async () => {
  const changed = await agentServer(api, its.workspaceId);
  const path = `${MCP_SERVERS}/${changed.serverId}`;
  const settingsOf = async (): Promise<unknown> => (await api.get(path)).body.server.settings.tools;
  expect(await settingsOf()).toEqual({ discovery: 'list' });
  expect(await listedBy(changed)).toContain('asked__post');
  expect((await api.patch(path, SEARCH)).body.server.settings.tools).toEqual({ discovery: 'search' });
  expect(await listedBy(changed)).toContain('svc_search');
  await api.patch(path, { settings: { codeMode: { approvalWaitSeconds: 5 } } });
  expect(await settingsOf()).toEqual({ discovery: 'list' });
  expect(await listedBy(changed)).not.toContain('svc_search');
});

it('a server of mode CODE ignores settings.tools', async () => {
  const code = await agentServer(api, its.workspaceId, { ...SEARCH, mode: 'CODE' });
  expect(await listedBy(code)).toEqual(['svc_search', 'svc_read_api', 'svc_execute']);
});

describe('svc_search', () => {
  it('returns tools with the schemas that a list has', async () => {
    const { tools } = (await modern(await agentServer(api, its.workspaceId))).body.result;
    const listed = tools.find(({ name }: { name: string }) => name === 'asked__post');
    const { tools: searched, total } = await found({ query: 'asked post' });
    expect(searched[0]).toEqual(listed);
    expect(total).toBe(tools.length - 2);
    expect((await found({ query: 'set a value', limit: 1 })).tools).toHaveLength(1);
  });

  it('lists the integrations without a query', async () => {
    expect(await found({})).toEqual({
      aliases: expect.arrayContaining([{ alias: 'kv', displayName: 'Key-value store', actions: 5 }]),
    });
  });

  it.each<[string, object, RegExp]>([
    ['an empty query', { query: ' ' }, /query: must be a string of 1 to 200 characters/],
    ['a long query', { query: 'x'.repeat(900_000) }, /query: must be a string of 1 to 200 characters/],
    ['a list as the query', { query: ['x'] }, /query: must be a string/],
    ['a limit above 20', { query: 'x', limit: 21 }, /limit: must be an integer from 1 to 20/],
    ['an unknown key', { words: 'x' }, /words: unknown key; the keys are query, limit/],
  ])('refuses %s', async (_, args, message) => {
    const { isError, content } = await call(server, 'svc_search', args);
    expect({ isError, text: content[0].text }).toEqual({ isError: true, text: expect.stringMatching(message) });
  });
});

describe('svc_call', () => {
  it('calls a tool as a direct call does', async () => {
    expect((await invoke('kv__set', { key: 'color', value: 'red' })).isError).toBeUndefined();
    const result = await invoke('kv__get', { key: 'color' });
    expect(result.structuredContent).toMatchObject({ value: 'red' });
    expect(result).toEqual(await call(server, 'kv__get', { key: 'color' }));
  });

  it.each<[string, unknown, unknown, RegExp]>([
    ['an unknown tool', 'asked__nothing', {}, /tool: asked__nothing is unknown\. Find tools with svc_search/],
    ['a built-in tool', 'svc_search', {}, /tool: svc_search is unknown/],
    ['__proto__', '__proto__', {}, /tool: __proto__ is unknown/],
    ['a tool with a long name', 'a'.repeat(900_000), {}, /is unknown/],
    ['a number as the tool', 7, {}, /tool: must be the name of a tool\. Find tools with svc_search/],
    ['a list of arguments', 'kv__get', [], /arguments: must be an object/],
    ['arguments that the tool does not take', 'kv__get', { kee: 'color' }, /key: is required|kee/],
  ])('refuses %s', async (_, tool, args, message) => {
    const { isError, content } = await invoke(tool, args);
    expect({ isError, text: content[0].text }).toEqual({ isError: true, text: expect.stringMatching(message) });
    expect(content[0].text.length).toBeLessThan(2_000);
  });

  it('is unknown to a server that lists its tools', async () => {
    const listing = await agentServer(api, its.workspaceId);
    for (const name of ['svc_search', 'svc_call']) {
      const params = { name, arguments: { tool: 'kv__get', arguments: { key: 'color' } } };
      const { body } = await modern(listing, { method: 'tools/call', params });
      expect(body.error).toMatchObject({ code: -32602, message: `Unknown tool: ${name}` });
    }
  });

  it('is subject to policies, and svc_continue runs the call once it is approved', async () => {
    const rule = { decision: 'require_approval', workspaceId: its.workspaceId, actionNames: ['set'] };
    const { id } = await newPolicy(api, { ...rule, mcpServerIds: [server.serverId] });
    const waiting = await invoke('kv__set', { key: 'color', value: 'blue' });
    const { status, continuation, approval } = waiting.structuredContent;
    expect(status).toBe('approval_required');
    expect(continuation).toMatchObject({ tool: 'svc_continue', arguments: { tool: 'kv__set' } });
    expect((await api.post(`/api/v1/approvals/${approval.id}/approve`, {})).status).toBe(200);
    expect((await call(server, continuation.tool, continuation.arguments)).isError).toBeUndefined();
    expect((await invoke('kv__get', { key: 'color' })).structuredContent).toMatchObject({ value: 'blue' });
    await api.delete(`/api/v1/approval-policies/${id}`);
  });

  it('runs a call with one idempotency key once', async () => {
    const raw = { params: { _meta: { 'svc/idempotencyKey': 'search-once' } } };
    const results = await Promise.all(Array.from({ length: 3 }, () => invoke('kv__increment', { key: 'n' }, raw)));
    expect(results.map(({ structuredContent }) => structuredContent.value)).toEqual([1, 1, 1]);
  });

  it('looks up options by the name of a tool', async () => {
    its.thirdParty.on('GET /people', { body: { people: [{ id: 'ann', name: 'Ann' }] } });
    const { structuredContent } = await call(server, 'svc_options', { tool: 'asked__post', argument: 'people' });
    expect(structuredContent.options).toEqual([{ label: 'Ann', value: 'ann' }]);
  });
});
