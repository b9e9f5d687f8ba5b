// Shapes: local
import { type Api } from './support/api.js';
import { drawbridge } from './support/drawbridge.js';
import { expectError, expectInvalid, UNKNOWN_ID } from './support/expect.js';
import { type Operations, testsOf } from './support/operation-cases.js';

const { beforeAll, beforeEach, describe, it } = testsOf(import.meta);

const PATH = '/api/v1/connections/resolve';
const GITHUB = { type: 'SECRET_TEXT', integrationName: 'github', displayName: 'GitHub', secretText: 'ghp_x' };

export const OPERATIONS: Operations = {
  ResolveConnection: { call: ({ workspaceId }) => ({ body: { integrationName: 'github', workspaceId } }) },
};

let api: Api;
let other: Api;
let workspaceId: string;
let made = 0;

beforeAll(async () => {
  ({ api, other } = await drawbridge());
});

beforeEach(async () => {
  workspaceId = (await api.post('/api/v1/workspaces', { name: 'W', slug: `resolve-${++made}` })).body.workspace.id;
});

async function create(fields: object, by = api): Promise<string> {
  const { status, body } = await by.post('/api/v1/connections', { ...GITHUB, externalId: `r-${++made}`, ...fields });
  expect(status).toBe(201);
  return body.connection.id;
}

const ofWorkspace = (fields: object = {}) => create({ scope: 'WORKSPACE', workspaceId, ...fields });
const ofUser = (endUserId: string, fields: object = {}) => create({ scope: 'USER', workspaceId, endUserId, ...fields });

async function resolved(fields: object = {}): Promise<string | number> {
  const { status, body } = await api.post(PATH, { integrationName: 'github', workspaceId, ...fields });
  if (status === 200) return body.connection.id;
  expect(body.code).toBe('CONNECTION_NOT_FOUND');
  return status;
}

async function configure(fields: object): Promise<void> {
  const integration = { integrationName: 'github', ...fields };
  expect((await api.post(`/api/v1/workspaces/${workspaceId}/integrations`, integration)).status).toBe(201);
}

describe('resolving an externalId', () => {
  it("prefers the end user's connection, then the workspace's, then the organization's", async () => {
    const externalId = `named-${made}`;
    const places = { organization: await create({ externalId }), workspace: await ofWorkspace({ externalId }) };
    const user = await ofUser('ann', { externalId });
    expect(await resolved({ externalId, endUserId: 'ann' })).toBe(user);
    expect(await resolved({ externalId, endUserId: 'bob' })).toBe(places.workspace);
    expect(await resolved({ externalId })).toBe(places.workspace);
    await api.delete(`/api/v1/connections/${places.workspace}`);
    expect(await resolved({ externalId })).toBe(places.organization);
    await api.delete(`/api/v1/connections/${places.organization}`);
    expect(await resolved({ externalId })).toBe(404);
  });

  it('ignores other integrations, workspaces and organizations, and chooses no other connection instead', async () => {
    await ofWorkspace();
    const { id: elsewhere } = (await api.post('/api/v1/workspaces', { name: 'W', slug: `resolve-${++made}` })).body
      .workspace;
    await ofWorkspace({ integrationName: 'http', externalId: 'of-http' });
    await create({ scope: 'WORKSPACE', workspaceId: elsewhere, externalId: 'elsewhere' });
    await create({ externalId: 'foreign' }, other);
    for (const externalId of ['of-http', 'elsewhere', 'foreign']) expect(await resolved({ externalId })).toBe(404);
  });
});

describe('resolving without an externalId', () => {
  it("prefers the end user's connection, then the workspace's, then the organization's, newest first", async () => {
    await create({});
    const organization = await create({});
    expect(await resolved({ endUserId: 'ann' })).toBe(organization);
    await ofWorkspace();
    const workspace = await ofWorkspace();
    expect(await resolved({ endUserId: 'ann' })).toBe(workspace);
    await ofUser('ann');
    const user = await ofUser('ann');
    expect(await resolved({ endUserId: 'ann' })).toBe(user);
    expect(await resolved({ endUserId: 'bob' })).toBe(workspace);
    expect(await resolved()).toBe(workspace);
  });

  it('uses the connection of a fixed configured integration for every end user', async () => {
    const fixed = await create({});
    await ofWorkspace();
    await ofUser('ann');
    await configure({ connectionId: fixed });
    expect(await resolved({ endUserId: 'ann' })).toBe(fixed);
  });

  it('uses only connections of the end user where the strategy is per_user', async () => {
    await ofWorkspace();
    const user = await ofUser('ann');
    await configure({ connectionStrategy: 'per_user' });
    expect(await resolved({ endUserId: 'ann' })).toBe(user);
    expect(await resolved({ endUserId: 'bob' })).toBe(404);
    expect(await resolved()).toBe(404);
  });

  it('falls back to the configured connection where the strategy is per_user_with_fallback', async () => {
    const fallback = await create({});
    const user = await ofUser('ann');
    await configure({ connectionStrategy: 'per_user_with_fallback', connectionId: fallback });
    expect(await resolved({ endUserId: 'ann' })).toBe(user);
    expect(await resolved({ endUserId: 'bob' })).toBe(fallback);
    expect(await resolved()).toBe(fallback);
  });

  it('prefers the configured integration with the integration name as its alias', async () => {
    const [first, second] = [await create({}), await create({})];
    await configure({ connectionId: second, alias: 'second' });
    await configure({ connectionId: first });
    expect(await resolved()).toBe(first);
  });
});

describe('resolving fails', () => {
  it('with every problem of the body', async () => {
    expectInvalid(await api.post(PATH, {}), 'integrationName', 'workspaceId');
    const texts = { integrationName: '', workspaceId: 'x', externalId: '', endUserId: '', type: 'OAUTH2' };
    expectInvalid(await api.post(PATH, texts), ...Object.keys(texts));
  });

  it('for an unknown integration', async () => {
    expectInvalid(await api.post(PATH, { integrationName: 'gitlub', workspaceId }), 'integrationName');
  });

  it('for an unknown workspace or one of another organization', async () => {
    const slug = `resolve-${++made}`;
    const theirs = (await other.post('/api/v1/workspaces', { name: 'W', slug })).body.workspace.id;
    for (const id of [theirs, UNKNOWN_ID]) {
      expectError(await api.post(PATH, { integrationName: 'github', workspaceId: id }), 404, 'NOT_FOUND');
    }
  });
});
