// Shapes: local
import { type AgentServer, call, modern } from './support/agents.js';
import { type Answer, type Api } from './support/api.js';
import { drawbridge } from './support/drawbridge.js';
import { eventually } from './support/eventually.js';
import { expectWithinASecond } from './support/expect-within.js';
import { MCP_SERVERS, newServer } from './support/mcp-servers.js';
import { fresh } from './support/owned-resources.js';
import { newConnection, newIntegration, newWorkspace } from './support/workspace-integrations.js';

let api: Api;
let workspaceId: string;
let endUser: { id: string; externalId: string };
let path: string;
/** An agent for each kind of token. */
let agents: Record<'static' | 'bearer' | 'oauth', AgentServer>;

beforeAll(async () => void ({ api } = await drawbridge()));
beforeEach(async () => {
  workspaceId = await newWorkspace(api);
  await newIntegration(api, workspaceId, { alias: 'hash-encode' });
  endUser = (await api.post('/api/v1/end-users', { workspaceId, externalId: fresh() })).body.endUser;
  const made = await newServer(api, workspaceId, { authMode: 'oauth_and_bearer' });
  path = `${MCP_SERVERS}/${made.server.id}`;
  const issued = async (kind: string) =>
    (await api.post(`${path}/${kind}`, { endUserId: endUser.id })).body.accessToken;
  agents = {
    static: agentBy(made, made.bearerToken),
    bearer: agentBy(made, await issued('access-tokens')),
    oauth: agentBy(made, await issued('oauth-tokens')),
  };
});

function agentBy({ server, mcpEndpoint }: any, token: string): AgentServer {
  const { origin: baseUrl, pathname } = new URL(mcpEndpoint);
  return { serverId: server.id, baseUrl, path: pathname, endUserId: endUser.externalId, token };
}

const kinds = async (): Promise<object> =>
  Object.fromEntries(
    await Promise.all(Object.entries(agents).map(async ([kind, agent]) => [kind, (await modern(agent)).status])),
  );

const ALL = { static: 200, bearer: 200, oauth: 200 };

it.each<[string, () => Promise<Answer>, object]>([
  ['regenerating the static token', () => api.post(`${path}/regenerate-token`), { static: 401 }],
  ['disabling bearer tokens', () => api.patch(path, { authMode: 'oauth' }), { static: 401, bearer: 401 }],
  ['disabling OAuth', () => api.patch(path, { authMode: 'bearer' }), { oauth: 401 }],
  ['changing the end user', () => api.patch(path, { endUserId: endUser.id }), { static: 401 }],
  ['deleting the server', () => api.delete(path), { static: 401, bearer: 401, oauth: 401 }],
])('%s revokes exactly its tokens before the response', async (_, change, ended) => {
  expect(await kinds()).toEqual(ALL);
  expect((await change()).status).toBe(200);
  expect(await kinds()).toEqual({ ...ALL, ...ended });
});

it('deleting an end user revokes their tokens within a second, even if the externalId is reused', async () => {
  expect(await kinds()).toEqual(ALL);
  await api.delete(`/api/v1/end-users/${endUser.id}`);
  await api.post('/api/v1/end-users', { workspaceId, externalId: endUser.externalId });
  await expectWithinASecond(async () => expect(await kinds()).toEqual({ ...ALL, bearer: 401, oauth: 401 }));
});

it('a tool with a deleted connection uses no other connection', async () => {
  const connectionId = await newConnection(api);
  const configured = { integrationName: 'github', alias: 'gh', connectionId: await newConnection(api) };
  await newIntegration(api, workspaceId, configured);
  const tool = {
    integrationName: 'github',
    actionName: 'list_commits',
    integrationAlias: 'gh',
    connectionId,
  };
  expect((await api.post(`${path}/tools`, tool)).status).toBe(201);
  await api.delete(`/api/v1/connections/${connectionId}`);
  await eventually(async () => expect((await api.get(path)).body.tools[0]).toMatchObject({ connectionId: null }));
  const result = await call(agents.static, 'gh__list_commits', { repo: 'acme/app' });
  expect(result).toMatchObject({ isError: true, structuredContent: { code: 'CONNECTION_REQUIRED' } });
});
