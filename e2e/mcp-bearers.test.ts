// Shapes: local
import { hashToken } from '@drawbridge/contracts';
import { type Api, apiOf } from './support/api.js';
import { rowsOf } from './support/database.js';
import { type Drawbridge, drawbridge } from './support/drawbridge.js';
import { expectError, UNKNOWN_ID } from './support/expect.js';
import { createServer, MCP_SERVERS, newServer } from './support/mcp-servers.js';
import { type Operations, testsOf } from './support/operation-cases.js';
import { fresh } from './support/owned-resources.js';
import { newConnection, newIntegration, newWorkspace, pathOf } from './support/workspace-integrations.js';

const { beforeAll, beforeEach, describe, it } = testsOf(import.meta);

export const OPERATIONS: Operations = {
  RegenerateMcpBearer: {
    call: async ({ api: by, workspaceId: place }) => ({
      path: { id: (await newServer(by, place, { authMode: 'bearer' })).server.id },
    }),
    ids: { 'path.id': 'mcpServerId' },
    alsoNeeds: 'actions.execute',
  },
};

const BEARER = /^mcp_[0-9A-Za-z]{46}$/;
const STRICT = { integrationName: 'github', connectionStrategy: 'per_user' };
const BLOCKED = 'MCP_BEARER_BLOCKS_PER_USER';
const INCOMPATIBLE = 'MCP_STATIC_BEARER_INCOMPATIBLE';

let product: Drawbridge;
let api: Api;
let workspaceId: string;

beforeAll(async () => {
  product = await drawbridge();
  ({ api } = product);
});
beforeEach(async () => void (workspaceId = await newWorkspace(api)));

const withBearer = (fields: object = {}) => newServer(api, workspaceId, { authMode: 'bearer', ...fields });
const patch = (id: string, body: object) => api.patch(`${MCP_SERVERS}/${id}`, body);
const regenerate = (id: string) => api.post(`${MCP_SERVERS}/${id}/regenerate-token`);
const addStrict = (fields: object = {}) => api.post(pathOf(workspaceId), { ...STRICT, alias: fresh(), ...fields });

async function endUser(place = workspaceId): Promise<{ id: string; externalId: string }> {
  return (await api.post('/api/v1/end-users', { workspaceId: place, externalId: fresh() })).body.endUser;
}

/** Returns the stored hash of the static bearer token, which is sufficient to authenticate an agent. */
async function hashOf(id: string): Promise<string | null> {
  const text = 'SELECT static_token_hash AS hash FROM mcp.servers WHERE id = $1';
  return (await rowsOf<{ hash: string | null }>(product.databaseUrl, text, [id]))[0]!.hash;
}

describe('a static bearer token', () => {
  it.each(['bearer', 'oauth_and_bearer'])('is shown once, where authMode is %s', async (authMode) => {
    const { server, bearerToken } = await withBearer({ authMode });
    expect(bearerToken).toMatch(BEARER);
    expect(server.auth).toEqual({
      ...{ oauthEnabled: authMode !== 'bearer', bearerEnabled: true, staticBearerEnabled: true },
      ...{ endUserBearerTokensEnabled: true, accessTokensEnabled: true },
    });
    expect(JSON.stringify((await api.get(`${MCP_SERVERS}/${server.id}`)).body)).not.toContain('mcp_');
    expect(await hashOf(server.id)).toBe(hashToken(bearerToken));
  });

  it('is not created where end users need their own connections, unless the server is for one end user', async () => {
    expect((await addStrict()).status).toBe(201);
    const { server, ...shown } = await withBearer();
    expect(Object.keys(shown)).toEqual(['mcpEndpoint']);
    expect(server.auth).toMatchObject({ bearerEnabled: true, staticBearerEnabled: false });
    expectError(await regenerate(server.id), 409, INCOMPATIBLE);

    const { externalId: endUserId } = await endUser();
    const own = await withBearer({ endUserId });
    expect(own.bearerToken).toMatch(BEARER);
    expect(own.server).toMatchObject({ endUserId, auth: { staticBearerEnabled: true } });
    expect((await regenerate(own.server.id)).status).toBe(200);
  });

  it('blocks integrations with per_user connections as long as it exists', async () => {
    const connectionId = await newConnection(api);
    const fixed = await newIntegration(api, workspaceId, { integrationName: 'github', connectionId });
    const { server } = await withBearer();
    const strict = { connectionStrategy: 'per_user' };
    expectError(await addStrict(), 409, BLOCKED);
    expectError(await api.patch(pathOf(workspaceId, fixed.id), strict), 409, BLOCKED);
    // Integrations with a fallback connection, or without a connection, do not need an end user.
    expect((await addStrict({ connectionStrategy: 'per_user_with_fallback', connectionId })).status).toBe(201);
    expect((await addStrict({ integrationName: 'hash-encode' })).status).toBe(201);
    expect((await api.patch(pathOf(workspaceId, fixed.id), { displayName: 'Ours' })).status).toBe(200);

    expect((await api.delete(`${MCP_SERVERS}/${server.id}`)).status).toBe(200);
    expect((await api.patch(pathOf(workspaceId, fixed.id), strict)).status).toBe(200);
  });

  it('does not block them if it is for one end user or in another workspace', async () => {
    const { externalId: endUserId } = await endUser();
    await withBearer({ endUserId });
    await newServer(api, await newWorkspace(api), { authMode: 'bearer' });
    await newServer(api, workspaceId, { authMode: 'oauth' });
    expect((await addStrict()).status).toBe(201);
  });

  it('can be created once no integration uses per_user connections', async () => {
    const { integration } = (await addStrict()).body;
    const { server } = await withBearer();
    expect((await api.delete(pathOf(workspaceId, integration.id))).status).toBe(200);
    const { body } = await regenerate(server.id);
    expect(body).toEqual({ bearerToken: expect.stringMatching(BEARER), mcpEndpoint: server.mcpEndpoint });
    expectError(await addStrict(), 409, BLOCKED);
  });
});

describe('POST /api/v1/mcp/servers/{id}/regenerate-token', () => {
  it('replaces the previous token', async () => {
    const { server, bearerToken } = await withBearer();
    const { bearerToken: next } = (await regenerate(server.id)).body;
    expect(next).not.toBe(bearerToken);
    expect(await hashOf(server.id)).toBe(hashToken(next));
  });

  it('refuses a server without bearer tokens, an unknown one, and one of another organization', async () => {
    const { server } = await newServer(api, workspaceId);
    expectError(await regenerate(server.id), 409, 'MCP_BEARER_DISABLED');
    expectError(await regenerate(UNKNOWN_ID), 404, 'NOT_FOUND');
    expectError(await product.other.post(`${MCP_SERVERS}/${server.id}/regenerate-token`), 404, 'NOT_FOUND');
  });

  it('requires actions.execute', async () => {
    const { server } = await withBearer();
    const permissions = { scope: 'org', grants: ['mcp.write'] };
    const { plainKey } = (await api.post('/api/v1/api-keys', { name: 'Narrow', permissions })).body;
    const narrow = apiOf(product.baseUrl, plainKey);
    expectError(await narrow.post(`${MCP_SERVERS}/${server.id}/regenerate-token`), 403, 'FORBIDDEN');
    expectError(await createServer(narrow, workspaceId, { authMode: 'bearer' }), 403, 'FORBIDDEN');
    expect((await createServer(narrow, workspaceId)).status).toBe(201);
  });
});

describe('an update of a server', () => {
  it('deletes the static bearer token where bearer tokens are disabled, and does not restore it', async () => {
    const { server } = await withBearer();
    const off = (await patch(server.id, { authMode: 'oauth' })).body.server;
    expect(off.auth).toMatchObject({ oauthEnabled: true, bearerEnabled: false, staticBearerEnabled: false });
    expect(await hashOf(server.id)).toBeNull();
    expect((await addStrict()).status).toBe(201);
    const on = (await patch(server.id, { authMode: 'bearer' })).body.server;
    expect(on.auth).toMatchObject({ bearerEnabled: true, staticBearerEnabled: false });
    expect(await hashOf(server.id)).toBeNull();
  });

  it('deletes the static bearer token where the end user changes, and otherwise keeps it', async () => {
    const { server } = await withBearer();
    const { externalId, id } = await endUser();
    const before = await hashOf(server.id);
    await patch(server.id, { name: 'Other', authMode: 'oauth_and_bearer' });
    expect(await hashOf(server.id)).toBe(before);
    expect((await patch(server.id, { endUserId: id })).body.server).toMatchObject({ endUserId: externalId });
    expect(await hashOf(server.id)).toBeNull();
    await regenerate(server.id);
    expect((await addStrict()).status).toBe(201);
    await patch(server.id, { endUserId: externalId });
    expect(await hashOf(server.id)).not.toBeNull();
    expect((await patch(server.id, { endUserId: null })).body.server.auth.staticBearerEnabled).toBe(false);
    expect(await hashOf(server.id)).toBeNull();
  });

  it('finds only end users of the workspace', async () => {
    const { externalId: endUserId } = await endUser(await newWorkspace(api));
    const { server } = await withBearer();
    for (const name of [endUserId, UNKNOWN_ID, 'unknown'])
      expectError(await patch(server.id, { endUserId: name }), 404, 'END_USER_NOT_FOUND');
    expectError(await createServer(api, workspaceId, { endUserId }), 404, 'END_USER_NOT_FOUND');
  });
});
