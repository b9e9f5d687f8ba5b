import { type Answer, type Api } from './api.js';
import { type Canary } from './canaries.js';

export const MCP_SERVERS = '/api/v1/mcp/servers';

export const createServer = (api: Api, workspaceId: string, fields: object = {}): Promise<Answer> =>
  api.post(MCP_SERVERS, { name: 'Agent', workspaceId, ...fields });

/** Creates an MCP server. Returns the response body. Throws on failure. */
export async function newServer(api: Api, workspaceId: string, fields: object = {}): Promise<any> {
  const { status, body } = await createServer(api, workspaceId, fields);
  if (status !== 201) throw new Error(`Creating an MCP server returned ${status}: ${JSON.stringify(body)}`);
  return body;
}

/** Creates an MCP server with a tool, and a bearer token of each kind. */
export async function filledServer(
  api: Api,
  { workspaceId, endUserId }: { workspaceId: string; endUserId: string },
): Promise<{ id: string; tokens: string[] }> {
  const { server, bearerToken } = await newServer(api, workspaceId, { authMode: 'oauth_and_bearer' });
  const path = `${MCP_SERVERS}/${server.id}`;
  const tool = await api.post(`${path}/tools`, { integrationName: 'hash-encode', actionName: 'hash' });
  const [bearer, oauth] = [
    await api.post(`${path}/access-tokens`, { endUserId }),
    await api.post(`${path}/oauth-tokens`, { endUserId }),
  ];
  const wrong = [tool, bearer, oauth].find(({ status }) => status !== 201);
  if (wrong) throw new Error(`Filling an MCP server returned ${wrong.status}: ${JSON.stringify(wrong.body)}`);
  return { id: server.id, tokens: [bearerToken, bearer.body.accessToken, oauth.body.accessToken] };
}

/** Creates a token of each kind. Returns them as canaries, for which tests search in places that must not contain them. */
export async function tokenCanaries(api: Api, workspaceId: string): Promise<Record<string, Canary>> {
  const endUserId = 'agent';
  await api.post('/api/v1/end-users', { workspaceId, externalId: endUserId });
  const { id, tokens } = await filledServer(api, { workspaceId, endUserId });
  await api.get(`${MCP_SERVERS}/${id}`);
  return Object.fromEntries(tokens.map((text, n) => [`MCP token ${n}`, { text, core: text.slice(10) }]));
}
