// Shapes: local
import { type Answer, type Api } from './support/api.js';
import { drawbridge } from './support/drawbridge.js';
import { expectError, expectInvalid, UNKNOWN_ID } from './support/expect.js';
import { fresh } from './support/owned-resources.js';
import { newIntegration, newWorkspace, pathOf } from './support/workspace-integrations.js';

const PATH = '/api/v1/partials';

let api: Api;
let other: Api;
let workspaceId: string;

beforeAll(async () => {
  ({ api, other } = await drawbridge());
  workspaceId = await newWorkspace(api);
  await newIntegration(api, workspaceId, { alias: 'hash-encode' });
});

const create = (fields: object = {}, by = api): Promise<Answer> =>
  by.post(PATH, { workspaceId, integrationName: 'hash-encode', actionName: 'hash', name: fresh(), ...fields });

async function partial(fields: object = {}): Promise<any> {
  const { status, body } = await create(fields);
  expect({ status, body }).toMatchObject({ status: 201 });
  return body.partial;
}

const change = (id: string, body: object): Promise<Answer> => api.patch(`${PATH}/${id}`, body);

describe('updating a partial', () => {
  it('changes the given fields and replaces values and enforced keys as a whole', async () => {
    const before = await partial({
      description: 'Old',
      values: { text: 'a', encoding: 'hex' },
      enforcedKeys: ['text'],
    });
    const changes = { name: fresh(), description: null, values: { algorithm: 'sha1' }, enforcedKeys: ['algorithm'] };
    const { status, body } = await change(before.id, { ...changes, isDefault: true });
    expect(status).toBe(200);
    const { updatedAt } = body.partial;
    expect(body.partial).toEqual({ ...before, ...changes, isDefault: true, updatedAt });
    expect((await change(before.id, { isDefault: false })).body.partial).toMatchObject(changes);
  });

  it('refuses an empty update, null, invalid values and an enforced key without a value', async () => {
    const { id } = await partial({ values: { text: 'a' }, enforcedKeys: ['text'] });
    expectError(await change(id, {}), 400, 'VALIDATION_ERROR');
    for (const key of ['name', 'values', 'enforcedKeys', 'isDefault'])
      expectInvalid(await change(id, { [key]: null }), key);
    expectInvalid(await change(id, { name: '', actionName: 'hmac' }), 'name', 'actionName');
    expectInvalid(await change(id, { values: { encoding: 'x' } }), 'values.encoding', 'enforcedKeys[0]');
    expectInvalid(await change(id, { enforcedKeys: ['text', 'encoding'] }), 'enforcedKeys[1]');
    expect((await change(id, { values: {}, enforcedKeys: [] })).status).toBe(200);
  });

  it('refuses a name that is taken in its scope', async () => {
    const [one, two] = [await partial(), await partial()];
    expectError(await change(two.id, { name: one.name }), 409, 'DUPLICATE');
    expect((await change(one.id, { name: one.name })).status).toBe(200);
  });

  it('keeps a value for each enforced key under concurrent updates', async () => {
    const { id } = await partial({ values: { text: 'a' } });
    const answers = await Promise.all([change(id, { values: {} }), change(id, { enforcedKeys: ['text'] })]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    const { values, enforcedKeys } = (await api.get(`${PATH}/${id}`)).body.partial;
    expect(Object.keys(values)).toEqual(expect.arrayContaining(enforcedKeys));
  });

  it('sets and clears the default flag', async () => {
    const { id } = await partial();
    const set = (body: object): Promise<Answer> => api.post(`${PATH}/${id}/set-default`, body);
    expect((await set({ isDefault: true })).body.partial).toMatchObject({ id, isDefault: true });
    expect(await set({ isDefault: false })).toMatchObject({ status: 200, body: { partial: { isDefault: false } } });
    expectInvalid(await set({}), 'isDefault');
    expectInvalid(await set({ isDefault: null }), 'isDefault');
  });

  it('assigns the fifth default of a scope to one of 10 racing requests', async () => {
    const actionName = 'encode';
    for (let n = 0; n < 4; n++) await partial({ actionName, isDefault: true });
    const answers = await Promise.all(Array.from({ length: 10 }, () => create({ actionName, isDefault: true })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(400)]);
    const { id } = await partial({ actionName });
    expectInvalid(await api.post(`${PATH}/${id}/set-default`, { isDefault: true }), 'isDefault');
    expectInvalid(await change(id, { isDefault: true }), 'isDefault');
  });
});

describe('a deleted partial', () => {
  it('is NOT_FOUND, like one of another organization', async () => {
    const { id } = await partial();
    expect((await api.delete(`${PATH}/${id}`)).body).toEqual({ deleted: true, id });
    const theirs = await newWorkspace(other);
    await newIntegration(other, theirs);
    const foreign = (await create({ workspaceId: theirs }, other)).body.partial.id;
    for (const absent of [id, foreign, UNKNOWN_ID]) {
      expectError(await api.get(`${PATH}/${absent}`), 404, 'NOT_FOUND');
      expectError(await change(absent, { name: 'x' }), 404, 'NOT_FOUND');
      expectError(await api.delete(`${PATH}/${absent}`), 404, 'NOT_FOUND');
      expectError(await api.post(`${PATH}/${absent}/set-default`, { isDefault: true }), 404, 'NOT_FOUND');
    }
  });

  it('is deleted with its configured integration, concurrently created ones included', async () => {
    const gone = await newIntegration(api, workspaceId);
    const { id } = await partial({ workspaceIntegrationId: gone.id });
    const late = Array.from({ length: 5 }, () => create({ workspaceIntegrationId: gone.id }));
    const changed = Array.from({ length: 5 }, () => change(id, { description: fresh() }));
    const [deleted, ...others] = await Promise.all([api.delete(pathOf(workspaceId, gone.id)), ...late, ...changed]);
    expect(deleted!.status).toBe(200);
    for (const { status } of others) expect([200, 201, 400, 404]).toContain(status);
    expectError(await api.get(`${PATH}/${id}`), 404, 'NOT_FOUND');
    expect(
      (await api.get(`${PATH}?workspaceId=${workspaceId}`)).body.partials.map((one: any) => one.workspaceIntegrationId),
    ).not.toContain(gone.id);
  });
});
