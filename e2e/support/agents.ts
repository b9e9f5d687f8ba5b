import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { type Answer, type Api, apiWith } from './api.js';
import { newServer } from './mcp-servers.js';
import { unique } from './workspace-integrations.js';

export const MODERN = '2026-07-28';
export const LEGACY = '2025-11-25';

/** An MCP server, and a token for the agent of an end user. */
export interface AgentServer {
  serverId: string;
  /** The base URL of the product. */
  baseUrl: string;
  path: string;
  token: string;
  endUserId: string;
}

export async function agentServer(api: Api, workspaceId: string, fields: object = {}): Promise<AgentServer> {
  const { server, mcpEndpoint } = await newServer(api, workspaceId, { authMode: 'bearer', ...fields });
  const { origin: baseUrl, pathname: path } = new URL(mcpEndpoint);
  return { serverId: server.id, baseUrl, path, ...(await newAgent(api, { workspaceId, serverId: server.id })) };
}

/** Creates another end user with a token. */
export async function newAgent(
  api: Api,
  { workspaceId, serverId }: { workspaceId: string; serverId: string },
): Promise<Pick<AgentServer, 'endUserId' | 'token'>> {
  const externalId = unique(`agent-of-${process.pid}`);
  const { status, body } = await api.post('/api/v1/end-users', { workspaceId, externalId });
  if (status !== 201) throw new Error(`Making an end user returned ${status}: ${JSON.stringify(body)}`);
  return { endUserId: externalId, token: await newToken(api, serverId, externalId) };
}

/** Issues a bearer token for an end user. */
export async function newToken(api: Api, serverId: string, endUserId: string, fields: object = {}): Promise<string> {
  const { status, body } = await api.post(`/api/v1/mcp/servers/${serverId}/access-tokens`, { endUserId, ...fields });
  if (status !== 201) throw new Error(`Issuing a token returned ${status}: ${JSON.stringify(body)}`);
  return body.accessToken;
}

const META = { 'io.modelcontextprotocol/protocolVersion': MODERN, 'io.modelcontextprotocol/clientCapabilities': {} };

/** The values in which a request differs from the request of a correct client of the newest protocol version. */
export interface Raw {
  id?: string | number;
  method?: string;
  params?: any;
  capabilities?: object;
  headers?: Record<string, string | undefined>;
  signal?: AbortSignal;
}

/** Sends one request of the newest protocol version. */
export function modern(server: AgentServer, raw: Raw = {}): Promise<Answer> {
  const { body, headers } = modernMessage(raw);
  return sendTo(server, body, { headers: { ...headers, ...raw.headers }, signal: raw.signal });
}

/** Returns the body and headers that a correct client of the newest protocol version sends. */
export function modernMessage({ id = 1, method = 'tools/list', params = {}, capabilities }: Raw): Message {
  const meta = { ...META, ...(capabilities && { 'io.modelcontextprotocol/clientCapabilities': capabilities }) };
  const all = { ...params, _meta: { ...meta, ...params._meta } };
  const name: Record<string, string> = typeof params.name === 'string' ? { 'mcp-name': params.name } : {};
  const headers = { 'mcp-protocol-version': MODERN, 'mcp-method': method, ...name };
  return { body: { jsonrpc: '2.0', id, method, params: all }, headers };
}

export interface Message {
  body: unknown;
  headers: Record<string, string>;
}

/** Sends one request in the form of older protocol versions. */
export function legacy(
  server: AgentServer,
  { id = 1, method = 'tools/list', params = {}, ...raw }: Raw = {},
): Promise<Answer> {
  return sendTo(server, { jsonrpc: '2.0', id, method, params }, raw);
}

/** Sends any body. A header with the value undefined is omitted. */
export function sendTo(
  { baseUrl, path, token }: AgentServer,
  body: unknown,
  { headers = {}, signal }: Pick<Raw, 'headers' | 'signal'> = {},
): Promise<Answer> {
  const accept = 'application/json'; // no stream: a slow response would otherwise start one, for example on a busy machine
  const given = Object.entries({ authorization: `Bearer ${token}`, accept, ...headers });
  const sent = Object.fromEntries(given.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
  return apiWith(baseUrl, {}).send('POST', path, { body, headers: sent, signal });
}

/** Calls a tool in the newest protocol version. Returns the result. */
export async function call(server: AgentServer, name: string, args: object = {}, raw: Raw = {}): Promise<any> {
  const answer = await modern(server, {
    ...raw,
    method: 'tools/call',
    params: { name, arguments: args, ...raw.params },
  });
  expect(answer).toMatchObject({ status: 200, body: { jsonrpc: '2.0', result: expect.anything() } });
  return answer.body.result;
}

/** Connects the official TypeScript client. */
export async function officialClient(server: AgentServer, options: ClientOptions = {}): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, options);
  const requestInit = { headers: { authorization: `Bearer ${server.token}` } };
  const url = new URL(server.path, server.baseUrl);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  return client;
}
