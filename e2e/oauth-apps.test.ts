// Shapes: local
import { type Api, apiOf } from './support/api.js';
import { rowsOf } from './support/database.js';
import { drawbridge } from './support/drawbridge.js';
import { eventually } from './support/eventually.js';
import { expectError, expectInvalid, UNKNOWN_ID, TIMESTAMP, UUID_V7 } from './support/expect.js';
import { newOrganization } from './support/organizations.js';
import { fresh } from './support/owned-resources.js';
import { type Operations, testsOf } from './support/operation-cases.js';
import { shared } from './support/shared.js';

const { beforeAll, describe, it } = testsOf(import.meta);

const PATH = '/api/v1/oauth-apps';
const STATUS = '/api/v1/integrations/oauth-status';
const APP = { integrationName: 'github', clientId: 'Iv1.client', clientSecret: 'secret-of-the-client' };

export const OPERATIONS: Operations = {
  ListOAuthApps: { call: () => ({}) },
  CreateOAuthApp: { call: ({ workspaceId }) => ({ body: { ...APP, workspaceId } }) },
  UpdateOAuthApp: {
    call: async ({ api: by, workspaceId }) => ({
      path: { id: (await create(by, { workspaceId })).id },
      body: { clientSecret: 'another' },
    }),
    ids: { 'path.id': 'oauthAppId' },
  },
  DeleteOAuthApp: {
    call: async ({ api: by, workspaceId }) => ({ path: { id: (await create(by, { workspaceId })).id } }),
    ids: { 'path.id': 'oauthAppId' },
  },
  GetOAuthStatus: { call: () => ({}) },
};

let api: Api;
let other: Api;
let databaseUrl: string;

beforeAll(async () => {
  ({ api, other, databaseUrl } = await drawbridge());
});

async function create(by: Api, fields: object = {}): Promise<any> {
  const { status, body } = await by.post(PATH, { ...APP, ...fields });
  expect({ status, body }).toMatchObject({ status: 201 });
  return body.oauthApp;
}

async function newApi(plan: string): Promise<Api> {
  const { plainKey } = await newOrganization(databaseUrl, plan);
  return apiOf((await drawbridge()).baseUrl, plainKey);
}

async function newWorkspace(by: Api): Promise<string> {
  return (await by.post('/api/v1/workspaces', { name: 'W', slug: fresh() })).body.workspace.id;
}

describe('an OAuth app', () => {
  it('is returned and listed as given, without its secret', async () => {
    const workspaceId = await newWorkspace(other);
    const made = await create(other, { workspaceId, scopes: ['repo', 'gist'] });
    const { clientSecret: _secret, ...shown } = APP;
    const at = expect.stringMatching(TIMESTAMP);
    const record = { ...shown, workspaceId, scopes: ['repo', 'gist'], isDefault: true, createdAt: at, updatedAt: at };
    expect(made).toEqual({ ...record, id: expect.stringMatching(UUID_V7) });
    expect((await other.get(PATH)).body).toEqual({ oauthApps: [made], total: 1 });
  });

  it('reports every problem of the body', async () => {
    expectInvalid(await api.post(PATH, {}), 'integrationName', 'clientId', 'clientSecret');
    expectInvalid(await api.post(PATH, { ...APP, integrationName: 'gitlub' }), 'integrationName');
    expectInvalid(
      await api.post(PATH, { ...APP, integrationName: 'http', scopes: ['a b', ''] }),
      'integrationName',
      'scopes[0]',
      'scopes[1]',
    );
    expectInvalid(
      await api.post(PATH, { ...APP, clientId: '', clientSecret: '', colour: 'red' }),
      'clientId',
      'clientSecret',
      'colour',
    );
    expectError(await api.post(PATH, { ...APP, workspaceId: UNKNOWN_ID }), 404, 'NOT_FOUND');
  });

  it('changes only the given fields', async () => {
    const { id, ...made } = await create(api, { scopes: ['repo'] });
    const { body } = await api.patch(`${PATH}/${id}`, { clientId: 'other', clientSecret: 'other' });
    expect(body.oauthApp).toEqual({ ...made, id, clientId: 'other', updatedAt: expect.stringMatching(TIMESTAMP) });
    expect((await api.patch(`${PATH}/${id}`, { scopes: null })).body.oauthApp.scopes).toBeNull();
    expectInvalid(await api.patch(`${PATH}/${id}`, { clientSecret: null }), 'clientSecret');
    expectError(await api.patch(`${PATH}/${id}`, {}), 400, 'VALIDATION_ERROR');
    expectError(await api.patch(`${PATH}/${UNKNOWN_ID}`, { clientId: 'x' }), 404, 'NOT_FOUND');
  });

  it('answers 404 once it is deleted', async () => {
    const { id } = await create(api);
    expect(await api.delete(`${PATH}/${id}`)).toMatchObject({ status: 200, body: { deleted: true, id } });
    expectError(await api.delete(`${PATH}/${id}`), 404, 'NOT_FOUND');
  });

  it('is deleted with its workspace', async () => {
    const own = await newApi('enterprise');
    const workspaceId = await newWorkspace(own);
    await create(own, { workspaceId });
    await own.delete(`/api/v1/workspaces/${workspaceId}`);
    await eventually(async () => expect((await own.get(PATH)).body.total).toBe(0), 60_000);
  });

  it('requires a plan with custom OAuth apps', async () => {
    const free = await newApi('free');
    expectError(await free.post(PATH, APP), 403, 'CUSTOM_OAUTH_APP_PLAN_REQUIRED');
  });
});

describe('the default OAuth app', () => {
  it('is the first one, until another is made the default, and stays unique in a race', async () => {
    const own = await newApi('enterprise');
    const ids: string[] = [];
    for (let count = 0; count < 3; count++) ids.push((await create(own)).id);
    const defaults = async (): Promise<string[]> =>
      (await own.get(PATH)).body.oauthApps.filter((app: any) => app.isDefault).map((app: any) => app.id);
    expect(await defaults()).toEqual([ids[0]]);
    await Promise.all([...ids, ...ids].map((id) => own.patch(`${PATH}/${id}`, { isDefault: true })));
    expect(await defaults()).toHaveLength(1);
    expect((await create(own, { isDefault: true })).isDefault).toBe(true);
    expect(await defaults()).toHaveLength(1);
  });
});

it('the OAuth status lists integrations with an app of the caller, and of no other organization', async () => {
  const own = await newApi('enterprise');
  // The integrations with an app of the operator are listed for every organization.
  const ofOperator = Object.keys(JSON.parse(shared().fakes!.env['OAUTH_APPS']!)).sort();
  expect((await own.get(STATUS)).body).toEqual({ configured: ofOperator });
  await create(own);
  expect((await own.get(STATUS)).body).toEqual({ configured: [...ofOperator, 'github'].sort() });
  expectError(await apiOf((await drawbridge()).baseUrl).get(STATUS), 401, 'UNAUTHENTICATED');
});

it('a connection with tokens can name its OAuth app, but not an unknown one', async () => {
  const body = { type: 'OAUTH2', integrationName: 'github', displayName: 'G', accessToken: 'a', refreshToken: 'r' };
  const theirs = await create(other);
  const ours = await create(api);
  expect((await api.post('/api/v1/connections', { ...body, externalId: fresh(), oauthAppId: ours.id })).status).toBe(
    201,
  );
  for (const oauthAppId of [theirs.id, UNKNOWN_ID]) {
    expectInvalid(await api.post('/api/v1/connections', { ...body, externalId: fresh(), oauthAppId }), 'oauthAppId');
  }
  const sql = 'SELECT client_id FROM connections.oauth_apps WHERE id = $1';
  expect(await rowsOf(databaseUrl, sql, [ours.id])).toEqual([{ client_id: APP.clientId }]);
});
