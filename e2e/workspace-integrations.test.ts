// Shapes: local
import { type Answer, type Api } from './support/api.js';
import { fresh } from './support/owned-resources.js';
import { drawbridge } from './support/drawbridge.js';
import { eventually } from './support/eventually.js';
import { expectError, expectInvalid, UNKNOWN_ID, TIMESTAMP, UUID_V7 } from './support/expect.js';
import { githubWorkspace } from './support/github.js';
import { type Operations, testsOf } from './support/operation-cases.js';
import { newConnection, newIntegration, newWorkspace, pathOf, unique } from './support/workspace-integrations.js';

const { beforeAll, describe, it } = testsOf(import.meta);

export const OPERATIONS: Operations = {
  ListWorkspaceIntegrations: { call: ({ workspaceId }) => ({ path: { workspaceId } }) },
  CreateWorkspaceIntegration: {
    call: ({ workspaceId, connectionId }) => ({
      path: { workspaceId },
      body: { integrationName: 'github', alias: fresh(), connectionId },
    }),
    ids: { 'body.connectionId': 'connectionId' },
  },
  UpdateWorkspaceIntegration: {
    call: ({ workspaceId, integrationId: id, connectionId }) => ({ path: { workspaceId, id }, body: { connectionId } }),
    ids: { 'path.id': 'integrationId', 'body.connectionId': 'connectionId' },
  },
  DeleteWorkspaceIntegration: {
    call: async ({ api }) => {
      const { workspaceId, integrationId: id } = await githubWorkspace(api);
      return { path: { workspaceId, id } };
    },
    ids: { 'path.id': 'integrationId' },
  },
};

let api: Api;
let other: Api;
let orgId: string;
let workspaceId: string;
let connectionId: string;

beforeAll(async () => {
  ({ api, other, orgId } = await drawbridge());
  workspaceId = await newWorkspace(api);
  connectionId = await newConnection(api);
});

const add = (body: object, workspace = workspaceId, by = api): Promise<Answer> => by.post(pathOf(workspace), body);
const change = (id: string, body: object): Promise<Answer> => api.patch(pathOf(workspaceId, id), body);

describe('adding an integration', () => {
  it('answers 201 with the whole record and its defaults', async () => {
    const workspace = await newWorkspace(api);
    const { status, body } = await add({ integrationName: 'github', connectionId }, workspace);
    const timestamp = expect.stringMatching(TIMESTAMP);
    expect({ status, integration: body.integration }).toEqual({
      status: 201,
      integration: expect.objectContaining({
        id: expect.stringMatching(UUID_V7),
        orgId,
        workspaceId: workspace,
        integrationName: 'github',
        alias: 'github',
        displayName: null,
        connectionStrategy: 'fixed',
        connectionId,
        enabledActions: null,
        settings: {},
        sortOrder: 0,
        createdAt: timestamp,
        updatedAt: timestamp,
      }),
    });
  });

  it('stores all given fields', async () => {
    const given = {
      integrationName: 'github',
      alias: 'gh_work-2',
      displayName: 'GitHub at work',
      connectionStrategy: 'per_user_with_fallback',
      connectionId,
      enabledActions: ['create_issue', 'comment'],
      settings: { persistence: { scope: 'external', externalId: 'x' }, theme: { of: ['the', 'owner'] } },
      sortOrder: -3,
    };
    expect((await add(given)).body.integration).toMatchObject(given);
  });

  it('reports every problem of the body at once', async () => {
    const wrong = {
      integrationName: 7,
      alias: '9lives',
      connectionId: 'x',
      connectionStrategy: 'shared',
      sortOrder: 'first',
    };
    expectInvalid(
      await add({ ...wrong, enabledActions: 'all', settings: [], colour: 'red' }),
      ...[...Object.keys(wrong), 'enabledActions', 'settings', 'colour'],
    );
    expectInvalid(await add({}), 'integrationName');
  });

  it.each(['Gh', '1gh', 'g h', '', 'a'.repeat(65)])('refuses %j as an alias', async (alias) => {
    expectInvalid(await add({ integrationName: 'hash-encode', alias }), 'alias');
  });

  it('reports every violated rule at once', async () => {
    const settings = {
      advancedCode: { timeoutSeconds: 301, storageMountScope: 'external' },
      persistence: { scope: 'all' },
    };
    expectInvalid(
      await add({ integrationName: 'github', alias: 'rules', enabledActions: ['comment', 'fly'], settings }),
      'connectionId',
      'enabledActions[1]',
      'settings.advancedCode.timeoutSeconds',
      'settings.advancedCode.storageExternalId',
      'settings.persistence.scope',
    );
  });

  it('refuses an integration that is not in the catalog', async () => {
    expectInvalid(await add({ integrationName: 'nothing' }), 'integrationName');
    expectInvalid(await add({ integrationName: 'constructor' }), 'integrationName');
  });

  it('requires a connection where both the strategy and the integration need one', async () => {
    const body = { integrationName: 'github', alias: 'unconnected' };
    expectInvalid(await add(body), 'connectionId');
    expectInvalid(await add({ ...body, connectionStrategy: 'per_user_with_fallback' }), 'connectionId');
    expect((await add({ ...body, connectionStrategy: 'per_user' })).status).toBe(201);
    expect((await add({ integrationName: 'http' })).status).toBe(201);
  });

  it('refuses an alias taken in the workspace and accepts it in another', async () => {
    await newIntegration(api, workspaceId, { alias: 'twice' });
    const body = { integrationName: 'http', alias: 'twice' };
    expectError(await add(body), 409, 'DUPLICATE');
    expect((await add(body, await newWorkspace(api))).status).toBe(201);
  });

  it('assigns an alias to one of 10 racing requests', async () => {
    const body = { integrationName: 'http', alias: 'race' };
    const answers = await Promise.all(Array.from({ length: 10 }, () => add(body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)]);
  });
});

describe('the connection of an integration', () => {
  const given = (id: string): Promise<Answer> =>
    add({ integrationName: 'github', alias: unique(), connectionStrategy: 'per_user', connectionId: id });

  it('may belong to the organization or to this workspace', async () => {
    const mine = await newConnection(api, { scope: 'WORKSPACE', workspaceId });
    expect((await given(mine)).body.integration.connectionId).toBe(mine);
    expect((await given(connectionId.toUpperCase())).body.integration.connectionId).toBe(connectionId);
  });

  it('may not belong to another workspace, an end user or another integration', async () => {
    const elsewhere = { scope: 'WORKSPACE', workspaceId: await newWorkspace(api) };
    expectInvalid(await given(await newConnection(api, elsewhere)), 'connectionId');
    const personal = { scope: 'USER', workspaceId, endUserId: 'u-1' };
    expectInvalid(await given(await newConnection(api, personal)), 'connectionId');
    expectInvalid(await given(await newConnection(api, { integrationName: 'http' })), 'connectionId');
  });

  it('is reported alike when it is unknown and when it belongs to another organization', async () => {
    const theirs = await newConnection(other);
    const [one, two] = [await given(theirs), await given(UNKNOWN_ID)];
    expectInvalid(one, 'connectionId');
    expect(JSON.parse(JSON.stringify(one.body).replaceAll(theirs, UNKNOWN_ID))).toEqual(two.body);
  });

  it('becomes null when the connection is deleted', async () => {
    const gone = await newConnection(api);
    const { id } = (await given(gone)).body.integration;
    await api.delete(`/api/v1/connections/${gone}`);
    const { body } = await api.get(pathOf(workspaceId));
    expect(body.integrations.find((one: any) => one.id === id)).toMatchObject({
      connectionId: null,
      connectionStatus: null,
    });
    await eventually(async () => {
      expect((await change(id, { sortOrder: 1 })).body.integration.connectionId).toBeNull();
    });
  });
});
