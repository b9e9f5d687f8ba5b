// Shapes: local
import { type Answer, type Api } from './support/api.js';
import { drawbridge } from './support/drawbridge.js';
import { expectError, expectInvalid, UNKNOWN_ID } from './support/expect.js';
import { newConnection, newIntegration, newWorkspace, pathOf, unique } from './support/workspace-integrations.js';

let api: Api;
let other: Api;
let workspaceId: string;
let connectionId: string;

beforeAll(async () => {
  ({ api, other } = await drawbridge());
  workspaceId = await newWorkspace(api);
  connectionId = await newConnection(api);
});

const add = (body: object, workspace = workspaceId, by = api): Promise<Answer> => by.post(pathOf(workspace), body);
const change = (id: string, body: object): Promise<Answer> => api.patch(pathOf(workspaceId, id), body);

describe('listing the integrations of a workspace', () => {
  it('orders by sortOrder, then oldest first, and includes the state of the connections', async () => {
    const workspace = await newWorkspace(api);
    const githubs = { integrationName: 'github', connectionId };
    await newIntegration(api, workspace, { alias: 'last', sortOrder: 5 });
    await newIntegration(api, workspace, { ...githubs, alias: 'second' });
    await newIntegration(api, workspace, { alias: 'third' });
    await newIntegration(api, workspace, { alias: 'first', sortOrder: -1 });
    const { body } = await api.get(pathOf(workspace));
    expect(body.total).toBe(4);
    expect(body.integrations.map(({ alias }: any) => alias)).toEqual(['first', 'second', 'third', 'last']);
    const said = {
      connectionStatus: 'ACTIVE',
      connectionDisplayName: 'Octocat',
      connectionExternalId: expect.any(String),
    };
    expect(body.integrations[1]).toMatchObject({ connectionId, ...said });
    expect(body.integrations[0]).toMatchObject({ connectionId: null, connectionStatus: null });
  });

  it('is empty in a new workspace', async () => {
    expect((await api.get(pathOf(await newWorkspace(api)))).body).toEqual({ integrations: [], total: 0 });
  });
});

describe('updating an integration', () => {
  it('changes the given fields and keeps the rest', async () => {
    const before = await newIntegration(api, workspaceId, {
      displayName: 'Old',
      enabledActions: ['hash'],
      settings: { a: 1 },
    });
    const { status, body } = await change(before.id, { alias: unique(), sortOrder: 9, enabledActions: [] });
    const { alias, updatedAt } = body.integration;
    expect(status).toBe(200);
    expect(body.integration).toEqual({ ...before, alias, updatedAt, sortOrder: 9, enabledActions: [] });
    expect(updatedAt > before.updatedAt).toBe(true);
  });

  it('resets optional fields with null', async () => {
    const { id } = await newIntegration(api, workspaceId, {
      displayName: 'Old',
      enabledActions: ['hash'],
      settings: { a: 1 },
    });
    const { body } = await change(id, { displayName: null, enabledActions: null, settings: null });
    expect(body.integration).toMatchObject({ displayName: null, enabledActions: null, settings: {} });
  });

  it.each(['alias', 'sortOrder', 'connectionStrategy'])('refuses null for %s', async (key) => {
    expectInvalid(await change((await newIntegration(api, workspaceId)).id, { [key]: null }), key);
  });

  it('refuses read-only fields and invalid values', async () => {
    const { id } = await newIntegration(api, workspaceId);
    expectInvalid(await change(id, { integrationName: 'http', orgId: UNKNOWN_ID }), 'integrationName', 'orgId');
    const settings = { advancedCode: { timeoutSeconds: 0 } };
    expectInvalid(
      await change(id, { enabledActions: ['fly'], settings }),
      'enabledActions[0]',
      'settings.advancedCode.timeoutSeconds',
    );
  });

  it('answers NO_UPDATES for an empty body', async () => {
    expectError(await change((await newIntegration(api, workspaceId)).id, {}), 400, 'NO_UPDATES');
  });

  it('requires a connection when the new strategy needs one', async () => {
    const { id } = await newIntegration(api, workspaceId, {
      integrationName: 'github',
      connectionStrategy: 'per_user',
    });
    expectInvalid(await change(id, { connectionStrategy: 'fixed' }), 'connectionId');
    expect((await change(id, { connectionStrategy: 'fixed', connectionId })).body.integration).toMatchObject({
      connectionStrategy: 'fixed',
      connectionId,
    });
    expect((await change(id, { connectionStrategy: 'per_user_with_fallback' })).status).toBe(200);
  });

  it('refuses an alias taken in the workspace', async () => {
    const [one, two] = [await newIntegration(api, workspaceId), await newIntegration(api, workspaceId)];
    expectError(await change(two.id, { alias: one.alias }), 409, 'DUPLICATE');
    expect((await change(two.id, { alias: two.alias })).status).toBe(200);
  });
});

describe('removing an integration', () => {
  it('returns its id, once, and frees the alias', async () => {
    const { id, alias } = await newIntegration(api, workspaceId);
    expect(await api.delete(pathOf(workspaceId, id))).toMatchObject({ status: 200, body: { deleted: true, id } });
    expectError(await api.delete(pathOf(workspaceId, id)), 404, 'NOT_FOUND');
    expectError(await change(id, { sortOrder: 1 }), 404, 'NOT_FOUND');
    await newIntegration(api, workspaceId, { alias });
  });
});

describe('an unavailable workspace', () => {
  const body = { integrationName: 'hash-encode' };

  async function expectGone(workspace: string, id = UNKNOWN_ID): Promise<void> {
    expectError(await api.get(pathOf(workspace)), 404, 'NOT_FOUND');
    expectError(await add(body, workspace), 404, 'NOT_FOUND');
    expectError(await add({ integrationName: 'nothing' }, workspace), 404, 'NOT_FOUND');
    expectError(await api.patch(pathOf(workspace, id), { sortOrder: 1 }), 404, 'NOT_FOUND');
    expectError(await api.delete(pathOf(workspace, id)), 404, 'NOT_FOUND');
  }

  it('answers NOT_FOUND to every request if it is unknown', () => expectGone(UNKNOWN_ID));

  it('answers NOT_FOUND to every request if it belongs to another organization', async () => {
    const theirs = await newWorkspace(other);
    const { id } = (await add(body, theirs, other)).body.integration;
    await expectGone(theirs, id);
    expect((await other.get(pathOf(theirs))).body.total).toBe(1);
  });

  it('answers NOT_FOUND to every request as soon as it is deleted', async () => {
    const workspace = await newWorkspace(api);
    const { id } = await newIntegration(api, workspace);
    await api.delete(`/api/v1/workspaces/${workspace}`);
    await expectGone(workspace, id);
  });

  it('hides its integrations from other workspaces', async () => {
    const { id } = await newIntegration(api, await newWorkspace(api));
    expectError(await change(id, { sortOrder: 1 }), 404, 'NOT_FOUND');
    expectError(await api.delete(pathOf(workspaceId, id)), 404, 'NOT_FOUND');
  });

  it('refuses ids that are not UUIDs', async () => {
    expectInvalid(await api.get(pathOf('here')), 'workspaceId');
    expectInvalid(await api.delete(pathOf('here', 'this')), 'workspaceId', 'id');
  });
});
