// Shapes: local
import { type Answer, type Api, apiOf } from './support/api.js';
import { type Drawbridge, drawbridge } from './support/drawbridge.js';
import { expectError } from './support/expect.js';
import { fresh } from './support/owned-resources.js';

let product: Drawbridge;
let api: Api;
let workspaceId: string;
/** The API with a key that is limited to the workspace and has all grants. */
let key: Api;
let connectionId: string;

beforeAll(async () => {
  product = await drawbridge();
  ({ api } = product);
  workspaceId = (await api.post('/api/v1/workspaces', { name: 'Own', slug: fresh() })).body.workspace.id;
  const permissions = { scope: 'workspace', workspaceIds: [workspaceId] };
  const { plainKey } = (await api.post('/api/v1/api-keys', { name: 'Narrow', permissions })).body;
  key = apiOf(product.baseUrl, plainKey);
  connectionId = (await create(api, {})).body.connection.id;
});

function create(by: Api, more: object): Promise<Answer> {
  const name = fresh();
  const names = { integrationName: 'github', externalId: name, displayName: name, scope: 'ORGANIZATION' };
  return by.post('/api/v1/connections', { ...names, type: 'SECRET_TEXT', secretText: 'ghp_0123456789', ...more });
}

const connections = async (): Promise<unknown> => (await api.get('/api/v1/connections?includeSuspended=true')).body;

describe('a workspace-scoped key and connections of scope ORGANIZATION', () => {
  it.each<[string, () => Promise<Answer>]>([
    ['cannot create one', () => create(key, {})],
    ['cannot create one, not even for its workspace', () => create(key, { workspaceId })],
    ['cannot delete one', () => key.delete(`/api/v1/connections/${connectionId}`)],
    ['cannot suspend one', () => key.post(`/api/v1/connections/${connectionId}/suspend`)],
    ['cannot resume one', () => key.post(`/api/v1/connections/${connectionId}/resume`)],
  ])('%s: 403 SCOPE_DENIED', async (_what, ask) => {
    const before = await connections();
    expectError(await ask(), 403, 'SCOPE_DENIED');
    expect(await connections()).toEqual(before);
  });

  it('reads one by its id, but lists only those of its workspaces', async () => {
    expect((await key.get(`/api/v1/connections?id=${connectionId}`)).body.connection.id).toBe(connectionId);
    expect((await key.get('/api/v1/connections')).body).toEqual({ connections: [], total: 0 });
  });

  it('creates, suspends, resumes and deletes those of its workspace', async () => {
    const made = await create(key, { scope: 'WORKSPACE', workspaceId });
    expect(made.status).toBe(201);
    const path = `/api/v1/connections/${made.body.connection.id}`;
    expect((await key.post(`${path}/suspend`)).status).toBe(200);
    expect((await key.post(`${path}/resume`)).status).toBe(200);
    expect((await key.delete(path)).status).toBe(200);
  });
});

describe('a key of two workspaces', () => {
  it('lists the connections of both, newest first, in pages', async () => {
    const workspaceIds: string[] = [];
    for (const name of ['One', 'Two'])
      workspaceIds.push((await api.post('/api/v1/workspaces', { name, slug: fresh() })).body.workspace.id);
    const permissions = { scope: 'workspace', workspaceIds };
    const { plainKey } = (await api.post('/api/v1/api-keys', { name: 'Two', permissions })).body;
    const both = apiOf(product.baseUrl, plainKey);
    const made: string[] = [];
    for (const at of [0, 1, 1, 0])
      made.unshift(
        (await create(api, { scope: 'WORKSPACE', workspaceId: workspaceIds[at] })).body.connection.id as string,
      );
    await create(api, { scope: 'WORKSPACE', workspaceId });
    await api.post(`/api/v1/connections/${made[1]}/suspend`);
    const list = async (query: string): Promise<unknown> => {
      const { connections, total } = (await both.get(`/api/v1/connections?${query}`)).body;
      return { ids: connections.map(({ id }: { id: string }) => id), total };
    };
    expect(await list('')).toEqual({ ids: [made[0], made[2], made[3]], total: 3 });
    expect(await list('includeSuspended=true')).toEqual({ ids: made, total: 4 });
    expect(await list('limit=2&offset=1')).toEqual({ ids: [made[2], made[3]], total: 3 });
    expect(await list('offset=9')).toEqual({ ids: [], total: 3 });
  });
});

describe('a workspace-scoped key and other resources of the organization', () => {
  it.each<[string, () => Promise<Answer>]>([
    ['cannot invite a member', () => key.post('/api/v1/members/invite', { email: 'new@example.com' })],
    ['cannot create a workspace', () => key.post('/api/v1/workspaces', { name: 'New', slug: 'new-one' })],
    ['cannot create a key', () => key.post('/api/v1/api-keys', { name: 'New' })],
    ['cannot list keys', () => key.get('/api/v1/api-keys')],
    ['cannot read the audit log', () => key.get('/api/v1/audit-log')],
  ])('%s: 403 SCOPE_DENIED', async (_what, ask) => {
    expectError(await ask(), 403, 'SCOPE_DENIED');
  });

  it('reads the members, the invitations and the organization', async () => {
    for (const path of ['members', 'members/invitations', 'organization'])
      expect((await key.get(`/api/v1/${path}`)).status).toBe(200);
  });
});
