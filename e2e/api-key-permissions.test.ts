// Shapes: local
import { GRANTS } from '@drawbridge/contracts';
import { type Answer, type Api, apiOf } from './support/api.js';
import { rowsOf } from './support/database.js';
import { drawbridge, type Drawbridge } from './support/drawbridge.js';
import { expectError, expectInvalid, UNKNOWN_ID } from './support/expect.js';
import { newWorkspace, unique } from './support/workspace-integrations.js';

const PATH = '/api/v1/api-keys';
const ALL = { scope: 'org' };
const NULLS = { approvals: null, workspaceIds: null, grants: null };

let product: Drawbridge;
let api: Api;
let workspace: string;
let neighbour: string;
let foreign: string;

beforeAll(async () => {
  product = await drawbridge();
  api = product.api;
  [workspace, neighbour, foreign] = await Promise.all([
    newWorkspace(api),
    newWorkspace(api),
    newWorkspace(product.other),
  ]);
});

const create = (permissions: unknown, by = api, more = {}): Promise<Answer> =>
  by.post(PATH, { name: unique('Key'), permissions, ...more });

async function keyWith(permissions: unknown, by = api, more = {}): Promise<{ id: string; api: Api }> {
  const { status, body } = await create(permissions, by, more);
  expect({ status, body }).toMatchObject({ status: 201 });
  return { id: body.apiKey.id, api: apiOf(product.baseUrl, body.plainKey) };
}

describe('the permissions of a key', () => {
  it.each([
    ['all grants', { scope: 'org' }],
    ['all grants and approval decisions', { scope: 'org', approvals: { decide: true } }],
    ['all grants, explicitly without approval decisions', { scope: 'org', approvals: { decide: false } }],
    ['some grants', { scope: 'org', grants: ['actions.execute', 'workspaces.read'] }],
    ['no grants', { scope: 'org', grants: [] }],
  ])('are returned as they were given: %s', async (_, permissions) => {
    const { body } = await create(permissions);
    expect(body.apiKey.permissions).toEqual({ ...NULLS, ...permissions });
    const { apiKeys } = (await api.get(PATH)).body;
    expect(apiKeys.find(({ id }: { id: string }) => id === body.apiKey.id)).toEqual(body.apiKey);
  });

  it('exclude approval decisions by default', async () => {
    expect((await create({ scope: 'org', approvals: {} })).body.apiKey.permissions.approvals).toEqual({
      decide: false,
    });
    expect((await api.post(PATH, { name: 'Plain' })).body.apiKey.permissions).toEqual({ ...NULLS, ...ALL });
  });

  it('store each workspace id once, in lower case', async () => {
    const workspaceIds = [workspace.toUpperCase(), workspace, neighbour];
    const { body } = await create({ scope: 'workspace', workspaceIds });
    expect(body.apiKey.permissions.workspaceIds).toEqual([workspace, neighbour]);
  });

  it('are refused with the path of each problem', async () => {
    expectInvalid(await create({ scope: 'everything' }), 'permissions.scope');
    expectInvalid(await create({}), 'permissions.scope');
    expectInvalid(await create({ scope: 'org', grants: ['mcp.read', '*'] }), 'permissions.grants[1]');
    expectInvalid(await create({ scope: 'org', workspaceIds: [workspace] }), 'permissions.workspaceIds');
    expectInvalid(await create({ scope: 'workspace' }), 'permissions.workspaceIds');
    expectInvalid(await create({ scope: 'workspace', workspaceIds: [] }), 'permissions.workspaceIds');
    expectInvalid(await create({ scope: 'workspace', workspaceIds: ['x'] }), 'permissions.workspaceIds[0]');
    expectInvalid(await create({ scope: 'org', approvals: { decide: 'yes' } }), 'permissions.approvals.decide');
    expectInvalid(await create({ scope: 'org', roles: [] }), 'permissions.roles');
  });

  it('accept only workspaces of the organization', async () => {
    const workspaceIds = [workspace, foreign, UNKNOWN_ID];
    const paths = ['permissions.workspaceIds[1]', 'permissions.workspaceIds[2]'];
    expectInvalid(await create({ scope: 'workspace', workspaceIds }), ...paths);
    const { id } = await keyWith(ALL);
    expectInvalid(await api.patch(`${PATH}/${id}`, { permissions: { scope: 'workspace', workspaceIds } }), ...paths);
  });
});

describe('privileges', () => {
  const most = { scope: 'org', grants: GRANTS.filter((grant) => grant !== 'mcp.write') };

  it.each([
    ['all grants', ALL],
    ['a grant that the calling key lacks', { scope: 'org', grants: ['mcp.write'] }],
    ['approval decisions', { ...most, approvals: { decide: true } }],
  ])('cannot be raised by creating a key with %s', async (_, permissions) => {
    const maker = await keyWith(most);
    expectError(await create(permissions, maker.api), 403, 'FORBIDDEN');
    expectError(await api.get(`${PATH}?limit=1`).then(() => maker.api.post(PATH, { name: 'All' })), 403, 'FORBIDDEN');
    const { id } = await keyWith({ scope: 'org', grants: [] });
    expectError(await maker.api.patch(`${PATH}/${id}`, { permissions }), 403, 'FORBIDDEN');
    expectError(await maker.api.patch(`${PATH}/${maker.id}`, { permissions }), 403, 'FORBIDDEN');
    expect((await create({ scope: 'org', grants: ['mcp.read'] }, maker.api)).status).toBe(201);
    expect((await maker.api.patch(`${PATH}/${id}`, { permissions: most })).status).toBe(200);
  });

  it('cannot outlive the calling key', async () => {
    const [sooner, later] = [60_000, 120_000].map((ms) => new Date(Date.now() + ms).toISOString());
    const maker = await keyWith(ALL, api, { expiresAt: sooner });
    expectError(await create(ALL, maker.api), 403, 'FORBIDDEN');
    expectError(await create(ALL, maker.api, { expiresAt: later }), 403, 'FORBIDDEN');
    expect((await create(ALL, maker.api, { expiresAt: sooner })).body.apiKey.expiresAt).toBe(sooner);
  });

  it.each([
    ['without api_keys.manage', { scope: 'org', grants: ['members.write', 'workspaces.write'] }, 'FORBIDDEN'],
    ['scoped to a workspace', undefined, 'SCOPE_DENIED'],
  ])('cannot be changed by a key %s', async (_, permissions, code) => {
    const { id, api: key } = await keyWith(permissions ?? { scope: 'workspace', workspaceIds: [workspace] });
    expectError(await key.get(PATH), 403, code);
    expectError(await key.post(PATH, { name: 'x', permissions: { scope: 'org', grants: [] } }), 403, code);
    expectError(await key.patch(`${PATH}/${id}`, { name: 'x' }), 403, code);
    expectError(await key.delete(`${PATH}/${id}`), 403, code);
  });
});

describe('updating a key', () => {
  it('returns the key with its new name and permissions', async () => {
    const { id } = await keyWith(ALL);
    const permissions = { scope: 'workspace', workspaceIds: [workspace] };
    const { status, body } = await api.patch(`${PATH}/${id}`, { name: 'Renamed', permissions });
    expect({ status, body }).toMatchObject({ status: 200, body: { apiKey: { id, name: 'Renamed' } } });
    expect(body.apiKey.permissions).toEqual({ ...NULLS, ...permissions });
    expect((await api.patch(`${PATH}/${id}`, { name: 'Again' })).body.apiKey.permissions).toEqual(
      body.apiKey.permissions,
    );
  });

  it('refuses an empty change, nulls and read-only fields', async () => {
    const { id } = await keyWith(ALL);
    expectError(await api.patch(`${PATH}/${id}`, {}), 400, 'VALIDATION_ERROR');
    expectInvalid(await api.patch(`${PATH}/${id}`, { name: null, permissions: null }), 'name', 'permissions');
    expectInvalid(await api.patch(`${PATH}/${id}`, { expiresAt: '2100-01-01T00:00:00Z' }), 'expiresAt');
  });

  it('finds nothing under an unknown id', async () => {
    expectError(await api.patch(`${PATH}/${UNKNOWN_ID}`, { name: 'x' }), 404, 'NOT_FOUND');
  });
});

describe('an expiring key', () => {
  it('is refused at every gateway once it has expired', async () => {
    const made = await create(ALL, api, { expiresAt: new Date(Date.now() + 3_600_000).toISOString() });
    const everywhere = (): Promise<number[]> =>
      Promise.all(
        product.baseUrls.map(async (url) => (await apiOf(url, made.body.plainKey).get('/api/v1/organization')).status),
      );
    expect(new Set(await everywhere())).toEqual(new Set([200]));
    const expiry = `UPDATE members.api_keys SET expires_at = now() + interval '1 s' WHERE id = $1`;
    await rowsOf(product.databaseUrl, expiry, [made.body.apiKey.id]);
    const endsAt = Date.now() + 1_000;
    while (Date.now() < endsAt + 1_000) await everywhere();
    expect(new Set(await everywhere())).toEqual(new Set([401]));
  });

  it('must expire in the future', async () => {
    expectInvalid(await create(ALL, api, { expiresAt: '2020-01-01T00:00:00Z' }), 'expiresAt');
    expectInvalid(await create(ALL, api, { expiresAt: '2030-02-31T25:00:00Z' }), 'expiresAt');
    expectInvalid(await create(ALL, api, { expiresAt: 'tomorrow' }), 'expiresAt');
  });
});

it('a change of grants takes effect at every gateway within a second', async () => {
  const made = await create({ scope: 'org', grants: ['workspaces.read'] });
  const everywhere = async (): Promise<Set<number>> => {
    const asked = product.baseUrls.map((url) => apiOf(url, made.body.plainKey).get('/api/v1/workspaces'));
    return new Set((await Promise.all(asked)).map(({ status }) => status));
  };
  for (const [grants, status] of [
    [[], 403],
    [['workspaces.write'], 200],
    [['members.read'], 403],
  ] as const) {
    expect((await api.patch(`${PATH}/${made.body.apiKey.id}`, { permissions: { scope: 'org', grants } })).status).toBe(
      200,
    );
    const changedAt = Date.now();
    while (Date.now() < changedAt + 1_000) await everywhere();
    expect(await everywhere()).toEqual(new Set([status]));
  }
});
