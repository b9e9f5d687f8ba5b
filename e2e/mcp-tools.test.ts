// Shapes: local
import { type Answer, type Api } from './support/api.js';
import { drawbridge } from './support/drawbridge.js';
import { eventually } from './support/eventually.js';
import { expectError, expectInvalid, UNKNOWN_ID, UUID_V7 } from './support/expect.js';
import { MCP_SERVERS, newServer } from './support/mcp-servers.js';
import { type Operations, testsOf } from './support/operation-cases.js';
import { fresh } from './support/owned-resources.js';
import { newConnection, newIntegration, newWorkspace, pathOf } from './support/workspace-integrations.js';

const { beforeAll, beforeEach, describe, it } = testsOf(import.meta);

const ISSUE = { integrationName: 'github', actionName: 'create_issue' };
const HASH = { integrationName: 'hash-encode', actionName: 'hash' };
const BOTH = { 'path.id': 'mcpServerId', 'path.toolId': 'mcpToolId' } as const;

export const OPERATIONS: Operations = {
  AddMcpTool: {
    call: ({ mcpServerId: id }) => ({ path: { id }, body: { ...HASH, integrationAlias: fresh() } }),
    ids: {
      'path.id': 'mcpServerId',
      'body.connectionId': 'connectionId',
      'body.workspaceIntegrationId': 'integrationId',
    },
  },
  UpdateMcpTool: {
    call: ({ mcpServerId: id, mcpToolId: toolId }) => ({ path: { id, toolId }, body: { description: fresh() } }),
    ids: { ...BOTH, 'body.connectionId': 'connectionId', 'body.workspaceIntegrationId': 'integrationId' },
  },
  RemoveMcpTool: {
    call: async ({ api: by, mcpServerId: id }) => {
      const { body } = await by.post(`${MCP_SERVERS}/${id}/tools`, { ...HASH, integrationAlias: fresh() });
      return { path: { id, toolId: body.tool.id } };
    },
    ids: BOTH,
  },
};

let api: Api;
let other: Api;
let workspaceId: string;
let serverId: string;

beforeAll(async () => void ({ api, other } = await drawbridge()));
beforeEach(async () => {
  workspaceId = await newWorkspace(api);
  serverId = (await newServer(api, workspaceId)).server.id;
});

const tools = (): string => `${MCP_SERVERS}/${serverId}/tools`;
const add = (fields: object = {}, by = api): Promise<Answer> => by.post(tools(), { ...HASH, ...fields });
const patch = (id: string, body: object): Promise<Answer> => api.patch(`${tools()}/${id}`, body);
const shown = async (): Promise<any[]> => (await api.get(`${MCP_SERVERS}/${serverId}`)).body.tools;

async function added(fields: object = {}): Promise<any> {
  const { status, body } = await add(fields);
  expect({ status, body }).toMatchObject({ status: 201 });
  return body.tool;
}

async function partialOf(workspaceIntegrationId: string, fields: object = {}): Promise<string> {
  const whole = { workspaceId, integrationName: 'hash-encode', workspaceIntegrationId, name: fresh(), ...fields };
  return (await api.post('/api/v1/partials', whole)).body.partial.id;
}

describe('POST /api/v1/mcp/servers/{id}/tools', () => {
  it('answers 201 with every field of the contract', async () => {
    const { status, body } = await add();
    const tool = {
      ...{ id: expect.stringMatching(UUID_V7), mcpServerId: serverId, ...HASH, integrationAlias: 'hash-encode' },
      ...{ toolType: 'ACTION', connectionId: null, displayName: null, description: null, inputDefaults: null },
      ...{ sortOrder: 0, partialIds: null, workspaceIntegrationId: null },
    };
    expect({ status, body }).toEqual({ status: 201, body: { tool } });
    expect(await shown()).toEqual([body.tool]);
  });

  it('stores the given fields, and accepts an integration under several aliases, each with its connection', async () => {
    const connectionId = await newConnection(api);
    const given = {
      ...{ integrationAlias: 'bugs', toolType: 'ACTION', connectionId, displayName: 'Report', description: 'A bug' },
      ...{ inputDefaults: { repo: 'acme/app' }, sortOrder: -1.5 },
    };
    const first = await added({ ...ISSUE, ...given });
    expect(first).toMatchObject({ ...ISSUE, ...given });
    const second = await added({ ...ISSUE, integrationAlias: 'ideas', connectionId: await newConnection(api) });
    expect(await shown()).toEqual([first, second]);
  });

  it.each([
    ['an unknown integration', { integrationName: 'nothing' }, 'integrationName'],
    ['an unknown action', { actionName: 'nothing' }, 'actionName'],
    ['an invalid alias', { integrationAlias: 'Upper' }, 'integrationAlias'],
    ['another toolType', { toolType: 'TRIGGER' }, 'toolType'],
    ['a default for an unknown field', { inputDefaults: { nothing: 1 } }, 'inputDefaults.nothing'],
    ['an invalid default', { inputDefaults: { algorithm: 'none' } }, 'inputDefaults.algorithm'],
    ['large defaults', { inputDefaults: { text: 'x'.repeat(65_536) } }, 'inputDefaults'],
    ['an unknown connection', { ...ISSUE, connectionId: UNKNOWN_ID }, 'connectionId'],
    ['partials without a configured integration', { partialIds: [UNKNOWN_ID] }, 'partialIds[0]'],
    ['an invalid partial id', { partialIds: ['x'] }, 'partialIds[0]'],
  ])('refuses %s', async (_, fields, path) => {
    expectInvalid(await add(fields), path);
  });

  it('refuses a connection of another integration, of an end user, and of another workspace', async () => {
    const scoped = { scope: 'WORKSPACE', workspaceId: await newWorkspace(api) };
    const own = { scope: 'USER', workspaceId, endUserId: fresh() };
    for (const fields of [scoped, own, { integrationName: 'stripe', secretText: 'sk_test_x' }])
      expectInvalid(await add({ ...ISSUE, connectionId: await newConnection(api, fields) }), 'connectionId');
  });

  it('accepts only partials of the alias and the action', async () => {
    const { id } = await newIntegration(api, workspaceId, { alias: 'hash-encode' });
    const [fits, elsewhere] = [await partialOf(id), await partialOf(id, { actionName: 'encode' })];
    const { id: twin } = await newIntegration(api, workspaceId, { alias: 'twin' });
    const strange = await partialOf(twin);
    expectInvalid(await add({ partialIds: [fits, elsewhere, strange] }), 'partialIds[1]', 'partialIds[2]');
    const tool = await added({ partialIds: [fits] });
    expect(tool.partialIds).toEqual([fits]);
    expectInvalid(await patch(tool.id, { integrationAlias: 'twin' }), 'partialIds[0]');
    expect((await patch(tool.id, { integrationAlias: 'twin', partialIds: [strange] })).status).toBe(200);
    await api.delete(`/api/v1/partials/${strange}`);
    await eventually(async () => expect((await shown())[0]).toMatchObject({ partialIds: [] }));
  });

  it('refuses a second tool for an action under an alias, and an alias for two integrations', async () => {
    await added();
    expectError(await add(), 409, 'DUPLICATE');
    await added({ actionName: 'encode' });
    expectError(await add({ ...ISSUE, integrationAlias: 'hash-encode' }), 409, 'ALIAS_CONFLICT');
    await newIntegration(api, workspaceId, { alias: 'taken' });
    expectError(await add({ ...ISSUE, integrationAlias: 'taken' }), 409, 'ALIAS_CONFLICT');
    const moving = await added({ ...ISSUE, integrationAlias: 'free' });
    expectError(await patch(moving.id, { integrationAlias: 'hash-encode' }), 409, 'ALIAS_CONFLICT');
    expect((await patch(moving.id, { integrationAlias: 'other' })).body.tool.integrationAlias).toBe('other');
  });

  it('maps an alias to one integration in a race', async () => {
    const both = Array.from({ length: 10 }, (_, n) => add({ ...(n % 2 ? ISSUE : HASH), integrationAlias: 'raced' }));
    const answers = await Promise.all(both);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => ![201, 409].includes(status))).toEqual([]);
    expect(await shown()).toHaveLength(1);
  });

  it('answers 404 for an unknown server and one of another organization', async () => {
    expectError(await add({}, other), 404, 'NOT_FOUND');
    expectError(await api.post(`${MCP_SERVERS}/${UNKNOWN_ID}/tools`, HASH), 404, 'NOT_FOUND');
  });
});

describe('PATCH and DELETE /api/v1/mcp/servers/{id}/tools/{toolId}', () => {
  it('changes the given fields', async () => {
    const tool = await added({ description: 'Old', inputDefaults: { algorithm: 'sha256' } });
    const { status, body } = await patch(tool.id, { displayName: 'Hash', sortOrder: 2, partialIds: [] });
    expect({ status, tool: body.tool }).toEqual({
      status: 200,
      tool: { ...tool, displayName: 'Hash', sortOrder: 2, partialIds: [] },
    });
    const cleared = { description: null, displayName: null, inputDefaults: null, partialIds: null, connectionId: null };
    expect((await patch(tool.id, cleared)).body.tool).toEqual({ ...tool, ...cleared, sortOrder: 2 });
    expectInvalid(await patch(tool.id, { inputDefaults: { nothing: 1 } }), 'inputDefaults.nothing');
    expectInvalid(await patch(tool.id, { actionName: 'encode' }), 'actionName');
    expectError(await patch(tool.id, {}), 400, 'VALIDATION_ERROR');
    expectError(await patch(UNKNOWN_ID, { sortOrder: 1 }), 404, 'NOT_FOUND');
  });

  it('finds a tool only in its own server, and removes it', async () => {
    const { id } = await added();
    const { id: elsewhere } = (await newServer(api, workspaceId)).server;
    expectError(await api.patch(`${MCP_SERVERS}/${elsewhere}/tools/${id}`, { sortOrder: 1 }), 404, 'NOT_FOUND');
    expectError(await api.delete(`${MCP_SERVERS}/${elsewhere}/tools/${id}`), 404, 'NOT_FOUND');
    expectError(await other.delete(`${tools()}/${id}`), 404, 'NOT_FOUND');
    expect((await api.delete(`${tools()}/${id}`)).body).toEqual({ deleted: true, id });
    expectError(await api.delete(`${tools()}/${id}`), 404, 'NOT_FOUND');
    expect(await shown()).toEqual([]);
  });
});

describe('an MCP tool', () => {
  it('follows the alias of its configured integration, and is deleted with it', async () => {
    const { id } = await newIntegration(api, workspaceId, { alias: 'mine' });
    await added({ integrationAlias: 'mine' });
    await api.patch(pathOf(workspaceId, id), { alias: 'yours' });
    await eventually(async () => expect((await shown())[0]).toMatchObject({ integrationAlias: 'yours' }));
    await api.delete(pathOf(workspaceId, id));
    await eventually(async () => expect(await shown()).toEqual([]));
  });

  it('loses its connection when that is deleted', async () => {
    const connectionId = await newConnection(api);
    await added({ ...ISSUE, connectionId });
    await api.delete(`/api/v1/connections/${connectionId}`);
    await eventually(async () => expect((await shown())[0]).toMatchObject({ connectionId: null }));
  });
});
