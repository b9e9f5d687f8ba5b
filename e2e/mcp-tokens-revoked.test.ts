// Shapes: local
import { type Answer, type Api, apiOf } from './support/api.js';
import { rowsOf } from './support/database.js';
import { type Drawbridge, drawbridge } from './support/drawbridge.js';
import { expectError } from './support/expect.js';
import { MCP_SERVERS, newServer } from './support/mcp-servers.js';
import { fresh } from './support/owned-resources.js';
import { newWorkspace } from './support/workspace-integrations.js';

let product: Drawbridge;
let api: Api;
let workspaceId: string;
let endUserId: string;

beforeAll(async () => {
  product = await drawbridge();
  ({ api } = product);
  workspaceId = await newWorkspace(api);
  endUserId = (await api.post('/api/v1/end-users', { workspaceId, externalId: fresh() })).body.endUser.externalId;
});

const both = async (): Promise<any> => (await newServer(api, workspaceId, { authMode: 'oauth_and_bearer' })).server;

const issue = (serverId: string, path: string): Promise<Answer> =>
  api.post(`${MCP_SERVERS}/${serverId}/${path}`, { endUserId });

describe('GET and DELETE /api/v1/mcp/servers/{id}/tokens', () => {
  const tokensOf = (id: string): string => `${MCP_SERVERS}/${id}/tokens`;

  it('lists the tokens newest first without their values, and revokes one', async () => {
    const { id } = await both();
    const bearer = (await issue(id, 'access-tokens')).body;
    const oauth = (await issue(id, 'oauth-tokens')).body;
    const { status, body } = await api.get(tokensOf(id));
    expect({ status, body }).toEqual({ status: 200, body: { tokens: [oauth.token, bearer.token], total: 2 } });
    expect((await api.get(`${tokensOf(id)}?limit=1&offset=1`)).body).toEqual({ tokens: [bearer.token], total: 2 });
    const revoked = await api.delete(`${tokensOf(id)}/${bearer.token.id}`);
    expect(revoked).toMatchObject({ status: 200, body: { deleted: true, id: bearer.token.id } });
    const agent = (token: string): Promise<Answer> =>
      apiOf(product.baseUrl, token).post(`/mcp/srv_${id}`, { jsonrpc: '2.0', id: 1, method: 'ping' });
    expect((await agent(bearer.accessToken)).status).toBe(401);
    expect((await agent(oauth.accessToken)).status).toBe(200);
    expect((await api.get(tokensOf(id))).body.total).toBe(1);
    expectError(await api.delete(`${tokensOf(id)}/${bearer.token.id}`), 404, 'NOT_FOUND');
  });

  it('omits an expired token', async () => {
    const { id } = await both();
    const { token } = (await issue(id, 'access-tokens')).body;
    await rowsOf(product.databaseUrl, 'UPDATE mcp.tokens SET expires_at = created_at WHERE id = $1', [token.id]);
    expect((await api.get(tokensOf(id))).body).toEqual({ tokens: [], total: 0 });
  });

  it('revokes no token through another server', async () => {
    const [first, second] = [await both(), await both()];
    const { token } = (await issue(first.id, 'access-tokens')).body;
    expectError(await api.delete(`${tokensOf(second.id)}/${token.id}`), 404, 'NOT_FOUND');
    expectError(await product.other.get(tokensOf(first.id)), 404, 'NOT_FOUND');
    expect((await api.get(tokensOf(first.id))).body.total).toBe(1);
  });
});
