// Shapes: local
import { type Api } from './support/api.js';
import { fresh } from './support/owned-resources.js';
import { drawbridge } from './support/drawbridge.js';
import { expectError, expectInvalid, UNKNOWN_ID, TIMESTAMP, UUID_V7 } from './support/expect.js';
import { githubWorkspace } from './support/github.js';
import { type Operations, testsOf } from './support/operation-cases.js';

const { beforeAll, describe, it } = testsOf(import.meta);

const PATH = '/api/v1/connections';
const GITHUB = { type: 'SECRET_TEXT', integrationName: 'github', displayName: 'GitHub', secretText: 'ghp_x' };

export const OPERATIONS: Operations = {
  ListConnections: { call: ({ connectionId: id }) => ({ query: { id } }), ids: { 'query.id': 'connectionId' } },
  CreateConnection: {
    call: ({ workspaceId }) => ({ body: { ...GITHUB, scope: 'WORKSPACE', workspaceId, externalId: fresh() } }),
    ids: { 'body.oauthAppId': 'oauthAppId' },
  },
  CreateReconnectToken: {
    call: async ({ api: by, workspaceId }) => {
      const fields = { integrationName: 'http', scope: 'WORKSPACE', workspaceId, externalId: fresh() };
      return { path: { id: (await create(fields, by)).id }, body: { workspaceId } };
    },
    ids: { 'path.id': 'connectionId', 'body.oauthAppId': null }, // an unknown OAuth app returns OAUTH_APP_NOT_FOUND
  },
  DeleteConnection: {
    call: async ({ api }) => ({ path: { id: (await githubWorkspace(api)).connectionId } }),
    ids: { 'path.id': 'connectionId' },
  },
};

let api: Api;
let other: Api;

beforeAll(async () => {
  ({ api, other } = await drawbridge());
});

async function newWorkspace(by = api): Promise<string> {
  return (await by.post('/api/v1/workspaces', { name: 'W', slug: fresh() })).body.workspace.id;
}

async function create(fields: object = {}, by = api): Promise<{ id: string; externalId: string }> {
  const { status, body } = await by.post(PATH, { ...GITHUB, externalId: fresh(), ...fields });
  expect({ status, body }).toMatchObject({ status: 201 });
  return body.connection;
}

describe('creating a connection', () => {
  it('answers 201 with the whole record and no credential', async () => {
    const workspaceId = await newWorkspace();
    const fields = { externalId: 'whole', scope: 'USER', workspaceId, endUserId: 'person@example.com' };
    const { status, body } = await api.post(PATH, { ...GITHUB, ...fields });
    const { secretText: _secret, ...shown } = { ...GITHUB, ...fields };
    const timestamp = expect.stringMatching(TIMESTAMP);
    const inUse = { status: 'ACTIVE', error: null, suspendedAt: null, suspensionReason: null };
    const facts = { id: expect.stringMatching(UUID_V7), ...inUse };
    expect({ status, body }).toEqual({
      status: 201,
      body: { connection: { ...shown, ...facts, createdAt: timestamp, updatedAt: timestamp } },
    });
  });

  it.each([
    ['SECRET_TEXT', { secretText: 's' }],
    ['BASIC_AUTH', { username: 'u', password: '' }],
    ['CUSTOM_AUTH', { props: { headers: { 'x-key': 'k' }, nested: [1, null] } }],
    ['OAUTH2', { accessToken: 'a' }],
    [
      'PLATFORM_OAUTH2',
      { accessToken: 'a', refreshToken: 'r', tokenType: 't', expiresIn: 1, scope_oauth: 's', data: {} },
    ],
  ])('accepts the type %s', async (type, credential) => {
    const common = { integrationName: 'http', displayName: 'HTTP', externalId: fresh() };
    const { status, body } = await api.post(PATH, { ...common, type, ...credential });
    expect(status).toBe(201);
    expect(body.connection).toMatchObject({
      ...common,
      type,
      scope: 'ORGANIZATION',
      workspaceId: null,
      endUserId: null,
    });
  });

  it('stores the workspace and the end user of an ORGANIZATION connection', async () => {
    const workspaceId = await newWorkspace();
    expect(await create({ workspaceId, endUserId: 'x' })).toMatchObject({
      scope: 'ORGANIZATION',
      workspaceId,
      endUserId: 'x',
    });
    expect(await create({ endUserId: 'x' })).toMatchObject({ workspaceId: null, endUserId: 'x' });
  });

  it('reports every problem of the body at once', async () => {
    expectInvalid(await api.post(PATH, {}), 'type', 'externalId', 'displayName', 'integrationName');
    const texts = { externalId: '', displayName: '', integrationName: '', secretText: '', endUserId: '' };
    const sets = { type: 'secret', scope: 'EVERYBODY', workspaceId: 'x', oauthAppId: 'x', expiresIn: 0, colour: 'red' };
    expectInvalid(await api.post(PATH, { ...texts, ...sets }), ...Object.keys(texts), ...Object.keys(sets));
    expectInvalid(
      await api.post(PATH, { ...GITHUB, externalId: 'a\0b', secretText: '\0' }),
      'externalId',
      'secretText',
    );
  });

  it('names the fields that the type and the scope require and those of other types', async () => {
    const body = {
      ...GITHUB,
      type: 'BASIC_AUTH',
      username: 'u',
      externalId: fresh(),
      scope: 'USER',
    };
    expectInvalid(await api.post(PATH, body), 'password', 'secretText', 'workspaceId', 'endUserId');
  });

  it('refuses an unknown integration and a type that the integration does not accept', async () => {
    expectInvalid(
      await api.post(PATH, { ...GITHUB, externalId: fresh(), integrationName: 'gitlub' }),
      'integrationName',
    );
    const { secretText: _secret, ...github } = GITHUB;
    const basic = { ...github, type: 'BASIC_AUTH', username: 'u', password: 'p', externalId: fresh() };
    expectInvalid(await api.post(PATH, basic), 'type');
    expectInvalid(await api.post(PATH, { ...GITHUB, externalId: fresh(), integrationName: 'hash-encode' }), 'type');
  });

  it('accepts PLATFORM_OAUTH2 wherever OAUTH2 is accepted', async () => {
    const { secretText: _secret, ...github } = GITHUB;
    const platform = { ...github, type: 'PLATFORM_OAUTH2', accessToken: 'a', externalId: fresh() };
    expect((await api.post(PATH, platform)).status).toBe(201);
  });

  it.each(['ORGANIZATION', 'WORKSPACE'])('refuses a workspace of another organization for %s', async (scope) => {
    const theirs = await newWorkspace(other);
    for (const workspaceId of [theirs, UNKNOWN_ID]) {
      expectError(await api.post(PATH, { ...GITHUB, externalId: fresh(), scope, workspaceId }), 404, 'NOT_FOUND');
    }
  });
});

describe('an externalId', () => {
  it('is unique within the organization, the workspace or the end user, not across them', async () => {
    const [first, second] = [await newWorkspace(), await newWorkspace()];
    const places = [
      {},
      { scope: 'WORKSPACE', workspaceId: first },
      { scope: 'WORKSPACE', workspaceId: second },
      { scope: 'USER', workspaceId: first, endUserId: 'a' },
      { scope: 'USER', workspaceId: first, endUserId: 'b' },
      { scope: 'USER', workspaceId: second, endUserId: 'a' },
    ];
    for (const place of places) await create({ externalId: 'same', ...place });
    for (const place of places) {
      expectError(await api.post(PATH, { ...GITHUB, externalId: 'same', ...place }), 409, 'DUPLICATE');
    }
    await create({ externalId: 'same' }, other);
  });

  it('goes to one of 20 racing requests, which share one new end user', async () => {
    const workspaceId = await newWorkspace();
    const body = { ...GITHUB, scope: 'USER', workspaceId, endUserId: 'racer' };
    const race = (names: string[]) => Promise.all(names.map((externalId) => api.post(PATH, { ...body, externalId })));
    const statuses = (await race(Array(20).fill('race'))).map(({ status }) => status).sort();
    expect(statuses).toEqual([201, ...Array(19).fill(409)]);
    const others = await race(Array.from({ length: 10 }, (_, index) => `race-${index}`));
    expect(others.map(({ status }) => status)).toEqual(Array(10).fill(201));
  });
});

describe('reading connections', () => {
  it('lists newest first, in pages, with the total', async () => {
    const ids = [];
    for (let index = 0; index < 3; index += 1) ids.unshift((await create()).id);
    const { body } = await api.get(`${PATH}?limit=3`);
    expect(body.connections.map(({ id }: { id: string }) => id)).toEqual(ids);
    const second = (await api.get(`${PATH}?limit=1&offset=1&includeSuspended=true`)).body;
    expect(second).toEqual({ connections: [body.connections[1]], total: body.total });
    expectInvalid(await api.get(`${PATH}?limit=101&offset=-1`), 'limit', 'offset');
  });

  it('returns one by its id', async () => {
    const connection = await create();
    expect(await api.get(`${PATH}?id=${connection.id}`)).toMatchObject({ status: 200, body: { connection } });
    expectInvalid(await api.get(`${PATH}?id=x`), 'id');
  });

  it('answers the same for an unknown id and one of another organization, for reads and deletions', async () => {
    const { id } = await create({}, other);
    for (const ask of [(one: string) => api.get(`${PATH}?id=${one}`), (one: string) => api.delete(`${PATH}/${one}`)]) {
      const [theirs, absent] = [await ask(id), await ask(UNKNOWN_ID)];
      expectError(theirs, 404, 'NOT_FOUND');
      expect(theirs.body.error.replace(id, UNKNOWN_ID)).toBe(absent.body.error);
    }
    expect((await other.get(`${PATH}?id=${id}`)).status).toBe(200);
  });
});
