// Shapes: local
import { hashToken } from '@drawbridge/contracts';
import { type Answer, type Api, apiOf } from './support/api.js';
import { rowsOf } from './support/database.js';
import { type Drawbridge, drawbridge } from './support/drawbridge.js';
import { eventually } from './support/eventually.js';
import { expectError, expectInvalid, UNKNOWN_ID, TIMESTAMP, UUID_V7 } from './support/expect.js';
import { filledServer, MCP_SERVERS, newServer } from './support/mcp-servers.js';
import { type Operations, testsOf } from './support/operation-cases.js';
import { fresh } from './support/owned-resources.js';
import { newWorkspace } from './support/workspace-integrations.js';

const { beforeAll, beforeEach, describe, it } = testsOf(import.meta);

const HANDS_OUT = { ids: { 'path.id': 'mcpServerId' }, alsoNeeds: 'actions.execute' } as const;

export const OPERATIONS: Operations = {
  IssueMcpAccessToken: {
    call: async ({ api: by, workspaceId: place, endUserId }) => ({
      path: { id: (await newServer(by, place, { authMode: 'bearer' })).server.id },
      body: { endUserId },
    }),
    ...HANDS_OUT,
  },
  IssueMcpOAuthToken: {
    call: ({ mcpServerId: id, endUserId }) => ({ path: { id }, body: { endUserId } }),
    ...HANDS_OUT,
  },
  ListMcpTokens: { call: ({ mcpServerId: id }) => ({ path: { id } }), ids: { 'path.id': 'mcpServerId' } },
  RevokeMcpToken: {
    call: async ({ api: by, mcpServerId: id, endUserId }) => {
      const { body } = await by.post(`${MCP_SERVERS}/${id}/oauth-tokens`, { endUserId });
      return { path: { id, tokenId: body.token.id } };
    },
    ids: { 'path.id': 'mcpServerId', 'path.tokenId': null },
  },
};

const KINDS = [
  ['access-tokens', 'bearer', /^mcp_[0-9A-Za-z]{46}$/, 'MCP_BEARER_DISABLED'],
  ['oauth-tokens', 'oauth', /^mcpo_[0-9A-Za-z]{46}$/, 'MCP_OAUTH_DISABLED'],
] as const;

const LEFT_OVER = `
  SELECT 'server' AS what FROM mcp.servers WHERE workspace_id = $1
  UNION SELECT 'tool' FROM mcp.tools WHERE workspace_id = $1
  UNION SELECT 'token' FROM mcp.tokens WHERE workspace_id = $1
  UNION SELECT 'share' FROM catalog.bearer_shares WHERE workspace_id = $1`;

let product: Drawbridge;
let api: Api;
let workspaceId: string;
let person: { id: string; externalId: string };

beforeAll(async () => {
  product = await drawbridge();
  ({ api } = product);
});
beforeEach(async () => {
  workspaceId = await newWorkspace(api);
  person = await endUser(workspaceId);
});

const endUser = async (place: string): Promise<typeof person> =>
  (await api.post('/api/v1/end-users', { workspaceId: place, externalId: fresh() })).body.endUser;

const both = async (fields: object = {}): Promise<any> =>
  (await newServer(api, workspaceId, { authMode: 'oauth_and_bearer', ...fields })).server;

const issue = (serverId: string, path: string, body: object = {}, by = api): Promise<Answer> =>
  by.post(`${MCP_SERVERS}/${serverId}/${path}`, { endUserId: person.externalId, ...body });

const secondsOf = ({ createdAt, expiresAt }: any): number => (Date.parse(expiresAt) - Date.parse(createdAt)) / 1_000;

const kept = async (serverId: string): Promise<string[]> => {
  const text = 'SELECT token_hash AS hash FROM mcp.tokens WHERE server_id = $1 ORDER BY id';
  return (await rowsOf<{ hash: string }>(product.databaseUrl, text, [serverId])).map(({ hash }) => hash);
};

describe.each(KINDS)('POST /api/v1/mcp/servers/{id}/%s', (path, authMode, format, disabled) => {
  it('answers 201 with every field of the contract, and stores only a hash', async () => {
    const server = await both();
    const { status, body } = await issue(server.id, path);
    const { accessToken } = body;
    const token = {
      ...{ id: expect.stringMatching(UUID_V7), tokenPrefix: accessToken.slice(0, 8), scopes: ['mcp:tools'] },
      ...{ endUserId: person.externalId, expiresAt: expect.stringMatching(TIMESTAMP) },
      createdAt: expect.stringMatching(TIMESTAMP),
    };
    const bearer = { authMethod: 'bearer', tokenType: 'mcp_bearer' };
    const shown = authMode === 'bearer' ? { bearerToken: accessToken, token: { ...token, ...bearer } } : { token };
    expect({ status, body }).toEqual({
      status: 201,
      body: { accessToken: expect.stringMatching(format), mcpEndpoint: server.mcpEndpoint, ...shown },
    });
    expect(secondsOf(body.token)).toBe(2_592_000);
    expect(await kept(server.id)).toEqual([hashToken(accessToken)]);
  });

  it('issues a token for the requested time, and for an end user by either id', async () => {
    const { id } = await both({ mode: 'CODE' });
    const long = (await issue(id, path, { expiresIn: 7_776_000, endUserId: person.id })).body.token;
    expect(secondsOf(long)).toBe(7_776_000);
    expect(long).toMatchObject({ endUserId: person.externalId, scopes: ['mcp:tools', 'mcp:code'] });
    const short = (await issue(id, path, { expiresIn: 300, scopes: ['mcp:code'] })).body.token;
    expect(secondsOf(short)).toBe(300);
    expect(short.scopes).toEqual(['mcp:code']);
  });

  it.each([
    ['too short a lifetime', { expiresIn: 299 }, 'expiresIn'],
    ['too long a lifetime', { expiresIn: 7_776_001 }, 'expiresIn'],
    ['an unknown scope', { scopes: ['mcp:admin'] }, 'scopes[0]'],
    ['no scope', { scopes: [] }, 'scopes'],
    ['no end user', { endUserId: undefined }, 'endUserId'],
  ])('refuses %s', async (_, fields, key) => {
    expectInvalid(await issue((await both()).id, path, fields), key);
  });

  it('refuses scopes that the mode lacks, and a server that disables this kind of token', async () => {
    expectError(await issue((await both()).id, path, { scopes: ['mcp:code'] }), 400, 'INVALID_MCP_SCOPES');
    const without = await both({ authMode: authMode === 'bearer' ? 'oauth' : 'bearer' });
    expectError(await issue(without.id, path), 409, disabled);
  });

  it('finds only end users of the workspace, and only that of a server for one end user', async () => {
    const { id } = await both();
    const { externalId, id: strange } = await endUser(await newWorkspace(api));
    for (const endUserId of [externalId, strange, UNKNOWN_ID])
      expectError(await issue(id, path, { endUserId }), 404, 'END_USER_NOT_FOUND');
    const own = await both({ endUserId: person.externalId });
    expect((await issue(own.id, path)).status).toBe(201);
    expectInvalid(await issue(own.id, path, { endUserId: (await endUser(workspaceId)).id }), 'endUserId');
  });

  it("requires actions.execute, and answers 404 for another organization's server", async () => {
    const { id } = await both();
    const permissions = { scope: 'org', grants: ['mcp.write'] };
    const { plainKey } = (await api.post('/api/v1/api-keys', { name: 'Narrow', permissions })).body;
    expectError(await issue(id, path, {}, apiOf(product.baseUrl, plainKey)), 403, 'FORBIDDEN');
    expectError(await issue(id, path, {}, product.other), 404, 'NOT_FOUND');
    expectError(await issue(UNKNOWN_ID, path), 404, 'NOT_FOUND');
  });

  it('revokes all tokens of this kind, and no others, where it is disabled', async () => {
    const { id } = await both();
    const [, other] = KINDS.map(([one]) => one).sort((one) => (one === path ? -1 : 1));
    await issue(id, path);
    const { accessToken } = (await issue(id, other!)).body;
    await api.patch(`${MCP_SERVERS}/${id}`, { authMode: authMode === 'bearer' ? 'oauth' : 'bearer' });
    expect(await kept(id)).toEqual([hashToken(accessToken)]);
  });
});

describe('a deleted workspace', () => {
  it('deletes its servers with their tools, tokens and bearer shares', async () => {
    const { id } = await filledServer(api, { workspaceId, endUserId: person.externalId });
    const left = async (): Promise<unknown> => rowsOf(product.databaseUrl, LEFT_OVER, [workspaceId]);
    expect(await left()).toHaveLength(4);
    await api.delete(`/api/v1/workspaces/${workspaceId}`);
    expectError(await api.get(`${MCP_SERVERS}?workspaceId=${workspaceId}`), 404, 'NOT_FOUND');
    expectError(await issue(id, 'access-tokens'), 404, 'NOT_FOUND');
    await eventually(async () => expect(await left()).toEqual([]));
    expectError(await api.get(`${MCP_SERVERS}/${id}`), 404, 'NOT_FOUND');
  });
});

describe('the tokens of an end user', () => {
  it('are deleted with the end user, as is the static bearer token of their server', async () => {
    const { server } = await newServer(api, workspaceId, { authMode: 'bearer', endUserId: person.externalId });
    await issue(server.id, 'access-tokens');
    await api.delete(`/api/v1/end-users/${person.id}`);
    await eventually(async () => expect(await kept(server.id)).toEqual([]));
    const after = (await api.get(`${MCP_SERVERS}/${server.id}`)).body.server;
    expect(after).toMatchObject({ endUserId: person.externalId, auth: { staticBearerEnabled: false } });
    expectError(await api.post(`${MCP_SERVERS}/${server.id}/regenerate-token`), 409, 'MCP_STATIC_BEARER_INCOMPATIBLE');
  });

  it('are limited to a hundred, and the oldest is deleted', async () => {
    const { id } = await both();
    const made = [];
    for (let count = 0; count < 101; count++) made.push((await issue(id, 'access-tokens')).body.accessToken);
    expect(await kept(id)).toEqual(made.slice(1).map(hashToken));
  });
});
