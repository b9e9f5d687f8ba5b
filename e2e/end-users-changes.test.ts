// Shapes: local
import { type Answer, type Api, apiOf } from './support/api.js';
import { rowsOf } from './support/database.js';
import { type Drawbridge, drawbridge } from './support/drawbridge.js';
import { eventually } from './support/eventually.js';
import { expectWithinASecond } from './support/expect-within.js';
import { expectError, expectInvalid } from './support/expect.js';
import { fresh } from './support/owned-resources.js';
import { provider } from './support/provider.js';
import { newConnection, newIntegration, newWorkspace } from './support/workspace-integrations.js';

const PATH = '/api/v1/end-users';
/** A number of connections that two transactions cannot delete, so that the deletion of the end user needs a third. */
const MANY = 1_201;

let product: Drawbridge;
let api: Api;
let github: Awaited<ReturnType<typeof provider>>;
let workspaceId: string;

beforeAll(async () => {
  product = await drawbridge();
  api = product.api;
  github = await provider();
  workspaceId = await newWorkspace(api);
});
afterAll(() => github.stop());

interface Person {
  id: string;
  externalId: string;
}

async function person(fields: object = {}): Promise<Person> {
  const { status, body } = await api.post(PATH, { workspaceId, externalId: fresh(), ...fields });
  expect({ status, body }).toMatchObject({ status: 201 });
  return body.endUser;
}

const remove = ({ id }: Person): Promise<Answer> => api.delete(`${PATH}/${id}`);
const used = async (): Promise<number> => (await api.get('/api/v1/organization')).body.usage.connections;

describe('updating an end user', () => {
  const all = { displayName: 'Ada', email: 'ada@acme.example', metadata: { a: 1, b: { c: 2 } } };

  it('changes the given fields and keeps the rest', async () => {
    const before = await person(all);
    const { status, body } = await api.patch(`${PATH}/${before.id}`, { displayName: 'Ada King' });
    expect(status).toBe(200);
    expect(body.endUser).toEqual({ ...before, displayName: 'Ada King', updatedAt: expect.any(String) });
    const changed = (await api.patch(`${PATH}/${before.id}`, { metadata: { d: 3 } })).body.endUser;
    expect(changed).toEqual({ ...body.endUser, metadata: { d: 3 }, updatedAt: expect.any(String) });
    expect((await api.get(`${PATH}/${before.id}`)).body.endUser).toEqual(changed);
  });

  it('clears fields that are null', async () => {
    const { id } = await person(all);
    const { body } = await api.patch(`${PATH}/${id}`, { displayName: null, email: null, metadata: null });
    expect(body.endUser).toMatchObject({ displayName: null, email: null, metadata: {} });
  });

  it('refuses an empty update, read-only fields and invalid values', async () => {
    const { id } = await person();
    expectError(await api.patch(`${PATH}/${id}`, {}), 400, 'VALIDATION_ERROR');
    expectInvalid(await api.patch(`${PATH}/${id}`, { externalId: 'x', workspaceId }), 'externalId', 'workspaceId');
    expectInvalid(await api.patch(`${PATH}/${id}`, { displayName: '' }), 'displayName');
    const metadata = { k: 'a'.repeat(17_000) };
    expectInvalid(await api.patch(`${PATH}/${id}`, { email: 'ada', metadata }), 'email', 'metadata');
  });
});

describe('deleting an end user', () => {
  it('deletes every connection of the end user, whatever its scope, and no other', async () => {
    const ada = await person();
    const own = { workspaceId, endUserId: ada.externalId };
    const kept = await newConnection(api, { workspaceId, endUserId: (await person()).externalId });
    const before = await used();
    const ids = [];
    for (const scope of ['ORGANIZATION', 'WORKSPACE', 'USER']) ids.push(await newConnection(api, { ...own, scope }));
    expect(await used()).toBe(before + 3);
    expect(await remove(ada)).toMatchObject({
      status: 200,
      body: { deleted: true, id: ada.id, connectionsDeleted: 3 },
    });
    for (const id of ids) expectError(await api.get(`/api/v1/connections?id=${id}`), 404, 'NOT_FOUND');
    expect((await api.get(`/api/v1/connections?id=${kept}`)).status).toBe(200);
    expect(await used()).toBe(before);
    expectError(await remove(ada), 404, 'NOT_FOUND');
    expect((await person({ externalId: ada.externalId })).id).not.toBe(ada.id);
  });

  it('takes effect at every gateway and in executions within a second', async () => {
    const place = await newWorkspace(api);
    const ada = await person({ workspaceId: place });
    await newConnection(api, { workspaceId: place, endUserId: ada.externalId, scope: 'USER' });
    await newIntegration(api, place, { integrationName: 'github', alias: 'gh', connectionStrategy: 'per_user' });
    const action = { integrationName: 'github', actionName: 'create_issue', input: { repo: 'acme/app', title: 'T' } };
    const apis = product.baseUrls.map((baseUrl) => apiOf(baseUrl, product.key));
    const execute = (by: Api): Promise<Answer> =>
      by.post('/api/v1/actions/execute', { ...action, workspaceId: place, endUserId: ada.externalId });
    for (const by of [...apis, ...apis]) expect((await execute(by)).status).toBe(200);
    await remove(ada);
    const refused = async (by: Api): Promise<void> => expectError(await execute(by), 400, 'CONNECTION_REQUIRED');
    await Promise.all(apis.map((by) => expectWithinASecond(() => refused(by))));
  });

  it('clears the connectionId of integrations and writes audit entries', async () => {
    const place = await newWorkspace(api);
    const ada = await person({ workspaceId: place });
    const connectionId = await newConnection(api, {
      workspaceId: place,
      endUserId: ada.externalId,
      scope: 'WORKSPACE',
    });
    await newIntegration(api, place, { integrationName: 'github', connectionId });
    await remove(ada);
    const entries = async (id: string): Promise<any[]> =>
      (await api.get(`/api/v1/audit-log?resourceId=${id}`)).body.entries;
    await eventually(async () => {
      const { integrations } = (await api.get(`/api/v1/workspaces/${place}/integrations`)).body;
      expect(integrations).toMatchObject([{ connectionId: null }]);
      const [deleted] = await entries(ada.id);
      const resource = { type: 'end_user', id: ada.id, name: ada.externalId };
      expect(deleted).toMatchObject({ action: 'end_user.delete', resource, reason: 'with 1 connections' });
      const gone = { action: 'connection.delete', reason: `with end user ${ada.externalId}` };
      expect((await entries(connectionId))[0]).toMatchObject({ ...gone, actor: { type: 'system' } });
    });
  });

  it(`deletes ${MANY} connections in batches`, async () => {
    const ada = await person();
    const id = await newConnection(api, { workspaceId, endUserId: ada.externalId, scope: 'USER' });
    const before = await used();
    await rowsOf(product.databaseUrl, COPIES, [id, MANY - 1]);
    expect((await api.get(`${PATH}/${ada.id}`)).body.endUser.connectionCount).toBe(MANY);
    expect((await api.get(`${PATH}/${ada.id}`)).body.connections).toHaveLength(100);
    const answer = await remove(ada);
    expect(answer.body).toEqual({ deleted: true, id: ada.id, connectionsDeleted: MANY });
    expect(await used()).toBe(before - 1);
  });

  it('succeeds for one of 10 racing requests and leaves no connections that were created meanwhile', async () => {
    const ada = await person();
    const own = { workspaceId, endUserId: ada.externalId, scope: 'USER' };
    const add = { type: 'SECRET_TEXT', secretText: 's', integrationName: 'github', displayName: 'D', ...own };
    await newConnection(api, own);
    const adds = Array.from({ length: 20 }, () => api.post('/api/v1/connections', { ...add, externalId: fresh() }));
    const [removals, added] = await Promise.all([
      Promise.all(Array.from({ length: 10 }, () => remove(ada))),
      Promise.all(adds),
    ]);
    expect(removals.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const late of removals.filter(({ status }) => status !== 200)) expectError(late, 404, 'NOT_FOUND');
    // A connection that is added after the removal creates the end user again.
    expect(added.map(({ status }) => status)).toEqual(Array(20).fill(201));
    const { endUsers } = (await api.get(`${PATH}?workspaceId=${workspaceId}&limit=100`)).body;
    const again = endUsers.find((one: Person) => one.externalId === ada.externalId);
    const { connections } = (await api.get('/api/v1/connections?limit=100')).body;
    const left = connections.filter((one: { endUserId: string }) => one.endUserId === ada.externalId);
    expect(left).toHaveLength(again?.connectionCount ?? 0);
  });
});

/** Inserts $2 copies of a connection. */
const COPIES = `
  INSERT INTO connections.connections
  SELECT (jsonb_populate_record(one, jsonb_build_object('id', gen_random_uuid(), 'external_id', one.external_id || n))).*
  FROM connections.connections one, generate_series(1, $2) AS n WHERE one.id = $1`;

describe('in a suspended workspace', () => {
  it('an end user can only be read and deleted', async () => {
    const place = await newWorkspace(api);
    const { id } = await person({ workspaceId: place });
    await api.post(`/api/v1/workspaces/${place}/suspend`);
    for (const answer of [
      await api.get(`${PATH}?workspaceId=${place}`),
      await api.post(PATH, { workspaceId: place, externalId: 'x' }),
      await api.patch(`${PATH}/${id}`, { displayName: 'X' }),
    ]) {
      expectError(answer, 403, 'FORBIDDEN');
      expect(answer.body.details).toEqual({ reason: 'suspended' });
    }
    expect((await api.get(`${PATH}/${id}`)).status).toBe(200);
    expect((await api.delete(`${PATH}/${id}`)).status).toBe(200);
  });
});

describe('in a deleted workspace', () => {
  it('no end users and no count of them remain', async () => {
    const place = await newWorkspace(api);
    await person({ workspaceId: place });
    const totals = 'SELECT rows FROM connections.totals WHERE "of" = $1';
    const count = (): Promise<object[]> => rowsOf(product.databaseUrl, totals, [`end_users ${place}`]);
    expect(await count()).toEqual([{ rows: 1 }]);
    await api.delete(`/api/v1/workspaces/${place}`);
    expectError(await api.get(`${PATH}?workspaceId=${place}`), 404, 'NOT_FOUND');
    await eventually(async () => expect(await count()).toEqual([]));
  });
});
