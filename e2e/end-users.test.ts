// Shapes: local
import { type Answer, type Api } from './support/api.js';
import { drawbridge } from './support/drawbridge.js';
import { expectError, expectInvalid, UNKNOWN_ID, TIMESTAMP, UUID_V7 } from './support/expect.js';
import { type Operations, testsOf } from './support/operation-cases.js';
import { fresh } from './support/owned-resources.js';
import { newConnection, newWorkspace } from './support/workspace-integrations.js';

const { beforeAll, describe, it } = testsOf(import.meta);

const PATH = '/api/v1/end-users';
const ONE = { 'path.id': 'endUserId' } as const;

export const OPERATIONS: Operations = {
  ListEndUsers: { call: ({ workspaceId }) => ({ query: { workspaceId } }) },
  CreateEndUser: { call: ({ workspaceId }) => ({ body: { workspaceId, externalId: fresh() } }) },
  GetEndUser: { call: ({ endUserId: id }) => ({ path: { id } }), ids: ONE },
  UpdateEndUser: { call: ({ endUserId: id }) => ({ path: { id }, body: { displayName: fresh() } }), ids: ONE },
  DeleteEndUser: {
    call: async ({ api, workspaceId }) => {
      const { body } = await api.post(PATH, { workspaceId, externalId: fresh() });
      return { path: { id: body.endUser.id } };
    },
    ids: ONE,
  },
};

let api: Api;
let other: Api;
let workspaceId: string;

beforeAll(async () => {
  ({ api, other } = await drawbridge());
  workspaceId = await newWorkspace(api);
});

const create = (fields: object = {}): Promise<Answer> =>
  api.post(PATH, { workspaceId, externalId: fresh(), ...fields });

async function person(fields: object = {}): Promise<{ id: string; externalId: string }> {
  const { status, body } = await create(fields);
  expect({ status, body }).toMatchObject({ status: 201 });
  return body.endUser;
}

const TIMES = { createdAt: expect.stringMatching(TIMESTAMP), updatedAt: expect.stringMatching(TIMESTAMP) };

describe('creating an end user', () => {
  it('answers 201 with the whole record', async () => {
    const given = {
      externalId: 'ada',
      displayName: 'Ada',
      email: 'Ada@acme.example',
      metadata: { a: [1, { b: null }] },
    };
    expect(await create(given)).toMatchObject({ status: 201 });
    const facts = { id: expect.stringMatching(UUID_V7), workspaceId, type: 'external', connectionCount: 0 };
    const { body } = await api.get(`${PATH}?workspaceId=${workspaceId}&limit=1`);
    expect(body.endUsers).toEqual([{ ...given, ...facts, ...TIMES }]);
  });

  it('requires only an externalId', async () => {
    const { body } = await create({ externalId: 'x'.repeat(255) });
    expect(body.endUser).toMatchObject({ displayName: null, email: null, metadata: {}, connectionCount: 0 });
  });

  it('reports every problem of the body at once', async () => {
    expectInvalid(await api.post(PATH, {}), 'workspaceId', 'externalId');
    const wrong = { externalId: '', displayName: '', email: 7, metadata: [], type: 'member' };
    expectInvalid(await api.post(PATH, { workspaceId: 'x', ...wrong }), 'workspaceId', ...Object.keys(wrong));
    const long = { externalId: 'x'.repeat(256), displayName: 'x'.repeat(201), email: `${'x'.repeat(250)}@a.example` };
    expectInvalid(await create(long), ...Object.keys(long));
  });

  it('refuses an invalid email and oversized metadata', async () => {
    const keys = Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`k${n}`, n]));
    expectInvalid(await create({ email: 'ada', metadata: keys }), 'email', 'metadata');
    expectInvalid(
      await create({ email: ' ada@acme.example', metadata: { k: 'ä'.repeat(8_200) } }),
      'email',
      'metadata',
    );
    expect((await create({ metadata: { k: 'a'.repeat(16_000) } })).status).toBe(201);
  });

  it('refuses a workspace of another organization', async () => {
    for (const elsewhere of [await newWorkspace(other), UNKNOWN_ID])
      expectError(await create({ workspaceId: elsewhere }), 404, 'NOT_FOUND');
  });

  it('assigns an externalId to one of 20 racing requests, and again in another workspace', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => create({ externalId: 'race' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(409)]);
    for (const refused of answers.filter(({ status }) => status !== 201)) expectError(refused, 409, 'DUPLICATE');
    expect((await create({ externalId: 'race', workspaceId: await newWorkspace(api) })).status).toBe(201);
  });

  it('tolerates a concurrent connection for the same end user', async () => {
    const personal = { workspaceId, scope: 'USER', endUserId: 'both' };
    const [made] = await Promise.all([create({ externalId: 'both' }), newConnection(api, personal)]);
    expect([201, 409]).toContain(made.status);
    expectError(await create({ externalId: 'both' }), 409, 'DUPLICATE');
    const { body } = await api.get(`${PATH}?workspaceId=${workspaceId}&limit=100`);
    const both = body.endUsers.filter((one: { externalId: string }) => one.externalId === 'both');
    expect(both).toEqual([expect.objectContaining({ connectionCount: 1, type: 'external' })]);
  });
});

describe('reading end users', () => {
  it('lists those of the workspace newest first, in pages, with the total', async () => {
    const place = await newWorkspace(api);
    const list = async (query: string): Promise<any> => (await api.get(`${PATH}?workspaceId=${place}${query}`)).body;
    expect(await list('')).toEqual({ endUsers: [], total: 0 });
    await person();
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) ids.unshift((await person({ workspaceId: place })).id);
    const shown = await list('');
    expect(shown).toEqual({ endUsers: ids.map((id) => expect.objectContaining({ id })), total: 3 });
    expect(await list('&limit=1&offset=1')).toEqual({ endUsers: [shown.endUsers[1]], total: 3 });
    const inCapitals = (await api.get(`${PATH}?workspaceId=${place.toUpperCase()}`)).body;
    expect(inCapitals).toEqual(shown);
    await api.delete(`${PATH}/${ids[0]}`);
    expect((await list('')).total).toBe(2);
  });

  it('requires an existing workspace', async () => {
    expectInvalid(await api.get(`${PATH}?limit=101&offset=-1`), 'workspaceId', 'limit', 'offset');
    for (const elsewhere of [await newWorkspace(other), UNKNOWN_ID])
      expectError(await api.get(`${PATH}?workspaceId=${elsewhere}`), 404, 'NOT_FOUND');
  });

  it('returns one with its connections of every scope, newest first', async () => {
    const { id, externalId } = await person();
    const own = { workspaceId, endUserId: externalId };
    const ids = [];
    for (const scope of ['ORGANIZATION', 'WORKSPACE', 'USER']) ids.unshift(await newConnection(api, { ...own, scope }));
    await newConnection(api, { workspaceId });
    await api.post(`/api/v1/connections/${ids[0]}/suspend`);
    const { status, body } = await api.get(`${PATH}/${id}`);
    const facts = {
      displayName: 'Octocat',
      integrationName: 'github',
      type: 'SECRET_TEXT',
      status: 'ACTIVE',
      ...TIMES,
    };
    const shown = ids.map((one) => ({ id: one, externalId: expect.any(String), ...facts }));
    expect({ status, connections: body.connections }).toEqual({ status: 200, connections: shown });
    expect(body.endUser).toMatchObject({ id, connectionCount: 3 });
    await api.delete(`/api/v1/connections/${ids[1]}`);
    expect((await api.get(`${PATH}/${id}`)).body.endUser.connectionCount).toBe(2);
  });

  it('counts concurrently created and deleted connections', async () => {
    const { id, externalId } = await person();
    const own = { workspaceId, endUserId: externalId, scope: 'USER' };
    const ids = await Promise.all(Array.from({ length: 10 }, () => newConnection(api, own)));
    const gone = ids.slice(0, 4).map((one) => api.delete(`/api/v1/connections/${one}`));
    await Promise.all([...gone, newConnection(api, own), newConnection(api, own)]);
    expect((await api.get(`${PATH}/${id}`)).body.endUser.connectionCount).toBe(8);
  });

  it('answers the same for an unknown id and one of another organization, for every operation', async () => {
    const place = await newWorkspace(other);
    const { id } = (await other.post(PATH, { workspaceId: place, externalId: 'theirs' })).body.endUser;
    const asks: ((one: string) => Promise<Answer>)[] = [
      (one) => api.get(`${PATH}/${one}`),
      (one) => api.patch(`${PATH}/${one}`, { displayName: 'Mine' }),
      (one) => api.delete(`${PATH}/${one}`),
    ];
    for (const ask of asks) {
      const [theirs, absent] = [await ask(id), await ask(UNKNOWN_ID)];
      expectError(theirs, 404, 'NOT_FOUND');
      expect(theirs.body.error.replace(id, UNKNOWN_ID)).toBe(absent.body.error);
    }
    expect((await other.get(`${PATH}/${id}`)).body.endUser.displayName).toBeNull();
  });
});
