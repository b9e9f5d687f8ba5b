// Shapes: local
import { type Api, apiWith } from './support/api.js';
import { type AgentServer, modern } from './support/agents.js';
import { type Drawbridge, drawbridge } from './support/drawbridge.js';
import { MCP_SERVERS, newServer } from './support/mcp-servers.js';
import { allow, program, redeem, refresh, register, seenIn } from './support/oauth.js';
import { newPerson, signIn } from './support/web-users.js';
import { webOf } from './support/web.js';
import { newWorkspace } from './support/workspace-integrations.js';

let product: Drawbridge;
let api: Api;
let workspaceId: string;

beforeAll(async () => {
  product = await drawbridge();
  ({ api } = product);
  workspaceId = await newWorkspace(api);
});

const raw = () => apiWith(product.baseUrl, {});
const agentOf = (mcpEndpoint: string, token: string): AgentServer => ({
  ...{ serverId: '', endUserId: '', token },
  baseUrl: product.baseUrl,
  path: new URL(mcpEndpoint).pathname,
});

it('the challenge leads a client to the metadata documents that it needs', async () => {
  const { mcpEndpoint } = await newServer(api, workspaceId);
  const challenge = (await modern(agentOf(mcpEndpoint, 'x'))).headers.get('www-authenticate')!;
  const address = /resource_metadata="([^"]+)"/.exec(challenge)![1]!;
  const { body: resource } = await raw().get(address.slice(product.baseUrl.length));
  expect(resource).toMatchObject({ resource: mcpEndpoint, authorization_servers: [product.baseUrl] });
  const { body: server } = await raw().get('/.well-known/oauth-authorization-server');
  expect(server).toMatchObject({ issuer: product.baseUrl, code_challenge_methods_supported: ['S256'] });
});

it('tokens of a client are valid for one server only, until a code is replayed', async () => {
  const { mcpEndpoint } = await newServer(api, workspaceId);
  const other = await newServer(api, workspaceId);
  const person = await newPerson(product.databaseUrl);
  await api.post('/api/v1/end-users', { workspaceId, externalId: person.id, email: person.email });
  const web = await signIn(product.baseUrl, person);
  const its = await program(product.baseUrl, mcpEndpoint);

  const params = await allow(web, its);
  expect([params.get('state'), params.get('iss')]).toEqual(['s', product.baseUrl]);
  const first = await redeem(product.baseUrl, its, params.get('code')!);
  expect(first).toMatchObject({ status: 200, body: { token_type: 'Bearer', expires_in: 3_600, scope: 'mcp:tools' } });
  const opens = async (token: string, at = mcpEndpoint) => (await modern(agentOf(at, token))).status;
  expect(await opens(first.body.access_token)).toBe(200);
  expect(await opens(first.body.access_token, other.mcpEndpoint)).toBe(401);
  expect(
    (await apiWith(product.baseUrl, { authorization: `Bearer ${first.body.access_token}` }).get('/api/v1/workspaces'))
      .status,
  ).toBe(401);

  const second = await refresh(product.baseUrl, its, first.body.refresh_token);
  expect(second.status).toBe(200);
  expect((await redeem(product.baseUrl, its, params.get('code')!)).body.error).toBe('invalid_grant');
  for (const token of [first.body.access_token, second.body.access_token]) expect(await opens(token)).toBe(401);
  expect((await refresh(product.baseUrl, its, second.body.refresh_token)).body.error).toBe('invalid_grant');
});

it('a consent applies to the page as shown, and is requested again if that has changed', async () => {
  const { server, mcpEndpoint } = await newServer(api, workspaceId, { endUserAccess: 'open' });
  const its = await program(product.baseUrl, mcpEndpoint);
  const web = await signIn(product.baseUrl, await newPerson(product.databaseUrl));
  const path = `/oauth/authorize?${its.query()}`;
  const before = seenIn((await web.get(path)).text);
  expect((await api.patch(`${MCP_SERVERS}/${server.id}`, { mode: 'CODE' })).status).toBe(200);
  const { status, text, to } = await web.post(path, { decision: 'allow', seen: before });
  expect([status, to]).toEqual([409, null]);
  expect((await web.post(path, { decision: 'allow', seen: seenIn(text) })).status).toBe(303);
});

it('an error for a remote redirect URI is shown as a link, not followed', async () => {
  const { mcpEndpoint } = await newServer(api, workspaceId);
  const redirect_uri = 'https://elsewhere.example/callback';
  const { body } = await register(product.baseUrl, { redirect_uris: [redirect_uri] });
  const its = await program(product.baseUrl, mcpEndpoint);
  const query = its.query({ client_id: body.client_id, redirect_uri, scope: 'admin' });
  const { status, headers, text } = await webOf(product.baseUrl).get(`/oauth/authorize?${query}`);
  expect([status, headers.get('location')]).toEqual([400, null]);
  expect(text).toContain(`href="${redirect_uri}?error=invalid_scope`);
});
