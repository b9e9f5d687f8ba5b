// Shapes: local
import { type Api } from './support/api.js';
import { drawbridge } from './support/drawbridge.js';
import { expectError, expectInvalid, UNKNOWN_ID, TIMESTAMP, UUID_V7 } from './support/expect.js';
import { createServer, MCP_SERVERS, newServer } from './support/mcp-servers.js';
import { type Operations, testsOf } from './support/operation-cases.js';
import { fresh } from './support/owned-resources.js';
import { newWorkspace } from './support/workspace-integrations.js';

const { beforeAll, describe, it } = testsOf(import.meta);

const ONE = { 'path.id': 'mcpServerId' } as const;

export const OPERATIONS: Operations = {
  ListMcpServers: { call: ({ workspaceId }) => ({ query: { workspaceId } }) },
  CreateMcpServer: { call: ({ workspaceId }) => ({ body: { workspaceId, name: fresh() } }) },
  UpdateMcpServer: { call: ({ mcpServerId: id }) => ({ path: { id }, body: { description: fresh() } }), ids: ONE },
  DeleteMcpServer: {
    call: async ({ api: by, workspaceId: place }) => ({ path: { id: (await newServer(by, place)).server.id } }),
    ids: ONE,
  },
  SuspendMcpServer: {
    call: async ({ api: by, workspaceId: place }) => ({ path: { id: (await newServer(by, place)).server.id } }),
    ids: ONE,
  },
  ResumeMcpServer: { call: ({ mcpServerId: id }) => ({ path: { id } }), ids: ONE },
  GetMcpServer: { call: ({ mcpServerId: id }) => ({ path: { id } }), ids: ONE },
};

let api: Api;
let other: Api;
let orgId: string;
let baseUrl: string;
let workspaceId: string;

beforeAll(async () => {
  ({ api, other, orgId, baseUrl } = await drawbridge());
  workspaceId = await newWorkspace(api);
});

describe('POST /api/v1/mcp/servers', () => {
  it('answers 201 with every field of the contract', async () => {
    const { status, body } = await createServer(api, workspaceId, { name: 'Support' });
    const mcpEndpoint = `${baseUrl}/mcp/srv_${body.server.id}`;
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        mcpEndpoint,
        server: {
          ...{ id: expect.stringMatching(UUID_V7), orgId, workspaceId, name: 'Support', description: null },
          ...{ mode: 'TOOLS', settings: { codeMode: { approvalWaitSeconds: 0 }, tools: { discovery: 'list' } } },
          ...{ authMode: 'oauth', endUserAccess: 'restricted', endUserId: null, createdBy: null },
          ...{ suspendedAt: null, suspensionReason: null },
          auth: {
            ...{ oauthEnabled: true, bearerEnabled: false, staticBearerEnabled: false },
            ...{ endUserBearerTokensEnabled: false, accessTokensEnabled: true },
          },
          ...{ createdAt: expect.stringMatching(TIMESTAMP), updatedAt: expect.stringMatching(TIMESTAMP), mcpEndpoint },
        },
      },
    });
  });

  it('creates a server of mode CODE, and can change its mode', async () => {
    const { server } = await newServer(api, workspaceId, { mode: 'CODE' });
    expect(server.mode).toBe('CODE');
    const modeAfter = async (mode: string) =>
      (await api.patch(`${MCP_SERVERS}/${server.id}`, { mode })).body.server.mode;
    expect([await modeAfter('TOOLS'), await modeAfter('CODE')]).toEqual(['TOOLS', 'CODE']);
  });

  it('treats null in an optional field as absent', async () => {
    const nulls = { description: null, mode: null, settings: null, authMode: null, endUserId: null };
    const { status, body } = await createServer(api, workspaceId, nulls);
    expect({ status, body }).toMatchObject({ status: 201, body: { server: { mode: 'TOOLS', authMode: 'oauth' } } });
  });

  it('stores the given fields', async () => {
    const given = {
      ...{ description: 'What it is for', settings: { codeMode: { approvalWaitSeconds: 60 } } },
      ...{ authMode: 'oauth', endUserAccess: 'open', createdBy: 'a script' },
    };
    const { server } = await newServer(api, workspaceId, given);
    expect(server).toMatchObject(given);
    expect((await api.get(`${MCP_SERVERS}/${server.id}`)).body).toEqual({ server, tools: [] });
  });

  it.each([
    ['no name', { name: undefined }, 'body.name'],
    ['an empty name', { name: '' }, 'name'],
    ['an unknown mode', { mode: 'BOTH' }, 'mode'],
    ['an unknown authMode', { authMode: 'none' }, 'authMode'],
    ['an unknown endUserAccess', { endUserAccess: 'all' }, 'endUserAccess'],
    ['an unknown discovery', { settings: { tools: { discovery: 'find' } } }, 'settings.tools.discovery'],
    ['unknown settings of tools', { settings: { tools: { limit: 1 } } }, 'settings.tools.limit'],
    ['unknown settings', { settings: { codeMode: { wait: 1 } } }, 'settings.codeMode.wait'],
    [
      'a fractional wait',
      { settings: { codeMode: { approvalWaitSeconds: 0.5 } } },
      'settings.codeMode.approvalWaitSeconds',
    ],
    [
      'a wait above 60 seconds',
      { settings: { codeMode: { approvalWaitSeconds: 61 } } },
      'settings.codeMode.approvalWaitSeconds',
    ],
    [
      'a wait below 0',
      { settings: { codeMode: { approvalWaitSeconds: -1 } } },
      'settings.codeMode.approvalWaitSeconds',
    ],
  ])('refuses %s', async (_, fields, path) => {
    expectInvalid(await createServer(api, workspaceId, fields), path.replace('body.', ''));
  });

  it('refuses an unknown workspace and one of another organization', async () => {
    expectError(await createServer(api, UNKNOWN_ID), 404, 'NOT_FOUND');
    expectError(await createServer(other, workspaceId), 404, 'NOT_FOUND');
    expectInvalid(await api.post(MCP_SERVERS, { name: 'x' }), 'workspaceId');
  });
});

describe('GET /api/v1/mcp/servers', () => {
  it('lists the newest first, in pages, for a workspace or for all', async () => {
    const place = await newWorkspace(api);
    const made = [];
    for (let count = 0; count < 3; count++) made.unshift((await newServer(api, place)).server);
    expect((await api.get(`${MCP_SERVERS}?workspaceId=${place}`)).body).toEqual({ servers: made, total: 3 });
    const page = (await api.get(`${MCP_SERVERS}?limit=1&offset=1`)).body;
    expect(page.servers).toEqual([made[1]]);
    expect(page.total).toBeGreaterThanOrEqual(3);
    expectError(await other.get(`${MCP_SERVERS}?workspaceId=${place}`), 404, 'NOT_FOUND');
  });
});

describe('GET /api/v1/mcp/servers/{id}', () => {
  it('finds nothing under an unknown id or in another organization', async () => {
    const { server } = await newServer(api, workspaceId);
    expectError(await api.get(`${MCP_SERVERS}/${UNKNOWN_ID}`), 404, 'NOT_FOUND');
    expectError(await other.get(`${MCP_SERVERS}/${server.id}`), 404, 'NOT_FOUND');
  });
});

describe('PATCH /api/v1/mcp/servers/{id}', () => {
  it('changes the given fields', async () => {
    const { server } = await newServer(api, workspaceId, { description: 'Old' });
    const settings = { codeMode: { approvalWaitSeconds: 5 }, tools: { discovery: 'search' } };
    const changes = { name: 'New', settings };
    const { status, body } = await api.patch(`${MCP_SERVERS}/${server.id}`, changes);
    const now = { ...server, ...changes, updatedAt: expect.stringMatching(TIMESTAMP) };
    expect({ status, body }).toEqual({ status: 200, body: { server: now } });
    const cleared = (await api.patch(`${MCP_SERVERS}/${server.id}`, { description: null, settings: {} })).body.server;
    expect(cleared).toMatchObject({ name: 'New', description: null, settings: server.settings });
  });

  it('refuses an empty update, unknown keys and null in a required field', async () => {
    const { server } = await newServer(api, workspaceId);
    const path = `${MCP_SERVERS}/${server.id}`;
    expectError(await api.patch(path, {}), 400, 'VALIDATION_ERROR');
    expectInvalid(await api.patch(path, { workspaceId: UNKNOWN_ID }), 'workspaceId');
    expectInvalid(await api.patch(path, { name: null }), 'name');
    expectError(await api.patch(`${MCP_SERVERS}/${UNKNOWN_ID}`, { name: 'x' }), 404, 'NOT_FOUND');
    expectError(await other.patch(path, { name: 'x' }), 404, 'NOT_FOUND');
  });
});

describe('DELETE /api/v1/mcp/servers/{id}', () => {
  it('deletes the server', async () => {
    const { id } = (await newServer(api, workspaceId)).server;
    expectError(await other.delete(`${MCP_SERVERS}/${id}`), 404, 'NOT_FOUND');
    expect((await api.delete(`${MCP_SERVERS}/${id}`)).body).toEqual({ deleted: true, id });
    expectError(await api.get(`${MCP_SERVERS}/${id}`), 404, 'NOT_FOUND');
    expectError(await api.delete(`${MCP_SERVERS}/${id}`), 404, 'NOT_FOUND');
  });
});

describe('a suspended server', () => {
  it('is listed only on request, refuses operations, and can be read, resumed and deleted', async () => {
    const place = await newWorkspace(api);
    const { id } = (await newServer(api, place, { authMode: 'bearer' })).server;
    const path = `${MCP_SERVERS}/${id}`;
    const { server } = (await api.post(`${path}/suspend`)).body;
    expect(server).toMatchObject({ suspendedAt: expect.stringMatching(TIMESTAMP), suspensionReason: 'request' });
    expect((await api.get(`${MCP_SERVERS}?workspaceId=${place}`)).body).toEqual({ servers: [], total: 0 });
    const all = (await api.get(`${MCP_SERVERS}?workspaceId=${place}&includeSuspended=true`)).body;
    expect(all).toEqual({ servers: [server], total: 1 });
    expect((await api.get(path)).body.server).toEqual(server);
    const refused = [
      await api.patch(path, { name: 'x' }),
      await api.post(`${path}/regenerate-token`),
      await api.post(`${path}/access-tokens`, { endUserId: 'ann' }),
      await api.post(`${path}/tools`, { integrationName: 'hash-encode', actionName: 'hash' }),
    ];
    const suspended = { status: 403, body: { code: 'FORBIDDEN', details: { reason: 'suspended' } } };
    for (const answer of refused) expect(answer).toMatchObject(suspended);
    expect((await api.post(`${path}/resume`)).body.server).toMatchObject({ suspendedAt: null, suspensionReason: null });
    expect((await api.patch(path, { name: 'x' })).status).toBe(200);
    await api.post(`${path}/suspend`);
    expect((await api.delete(path)).status).toBe(200);
  });

  it('counts towards the quota of the organization', async () => {
    const used = async () => (await api.get('/api/v1/organization')).body.usage.mcpServers;
    const before = await used();
    await newServer(api, workspaceId);
    expect(await used()).toBe(before + 1);
  });
});
