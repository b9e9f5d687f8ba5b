// Shapes: local
import { type Api } from './support/api.js';
import { fresh } from './support/owned-resources.js';
import { drawbridge } from './support/drawbridge.js';
import { expectError, expectInvalid, UNKNOWN_ID, TIMESTAMP, UUID_V7 } from './support/expect.js';
import { githubWorkspace } from './support/github.js';
import { type Operations, testsOf } from './support/operation-cases.js';

const { beforeAll, describe, it } = testsOf(import.meta);

const PATH = '/api/v1/workspaces';

export const OPERATIONS: Operations = {
  ListWorkspaces: { call: () => ({}) },
  CreateWorkspace: { call: () => ({ body: { name: 'Good', slug: fresh() } }) },
  GetWorkspace: { call: ({ workspaceId }) => ({ path: { id: workspaceId } }) },
  UpdateWorkspace: { call: ({ workspaceId }) => ({ path: { id: workspaceId }, body: { name: 'Better' } }) },
  DeleteWorkspace: { call: async ({ api }) => ({ path: { id: (await githubWorkspace(api)).workspaceId } }) },
};

let api: Api;
let other: Api;
let orgId: string;

beforeAll(async () => {
  ({ api, other, orgId } = await drawbridge());
});

async function create(slug: string, by = api): Promise<{ id: string; updatedAt: string }> {
  const { status, body } = await by.post(PATH, { name: `The ${slug}`, slug });
  expect(status).toBe(201);
  return body.workspace;
}

describe('creating a workspace', () => {
  it('answers 201 with the whole record', async () => {
    const { status, body } = await api.post(PATH, { name: 'Käse & Brot', slug: 'kaese' });
    const timestamp = expect.stringMatching(TIMESTAMP);
    const times = { createdAt: timestamp, updatedAt: timestamp };
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        workspace: {
          id: expect.stringMatching(UUID_V7),
          orgId,
          name: 'Käse & Brot',
          slug: 'kaese',
          suspendedAt: null,
          suspensionReason: null,
          ...times,
        },
      },
    });
  });

  it('reports every problem of the body at once', async () => {
    expectInvalid(await api.post(PATH, {}), 'name', 'slug');
    expectInvalid(await api.post(PATH, { name: '', slug: 'Not A Slug', colour: 'red' }), 'colour', 'name', 'slug');
    expectInvalid(await api.post(PATH, { name: 'x'.repeat(101), slug: 'x'.repeat(51) }), 'name', 'slug');
    expectInvalid(await api.post(PATH, { name: 7, slug: null }), 'name', 'slug');
  });

  it.each(['-a', 'A', 'a_b', 'a b', '', 'a\n', 'ä'])('refuses %j as a slug', async (slug) => {
    expectInvalid(await api.post(PATH, { name: 'x', slug }), 'slug');
  });

  it('accepts a name of 100 and a slug of 50 characters', async () => {
    const body = { name: 'n'.repeat(100), slug: 's'.repeat(50) };
    expect((await api.post(PATH, body)).body.workspace).toMatchObject(body);
  });

  it('refuses a slug taken in the same organization and accepts it in another', async () => {
    await create('taken');
    expectError(await api.post(PATH, { name: 'Again', slug: 'taken' }), 409, 'DUPLICATE');
    await create('taken', other);
  });

  it('assigns a slug to one of 20 racing requests', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => api.post(PATH, { name: 'Race', slug: 'race' })));
    const won = answers.filter(({ status }) => status === 201);
    expect(won).toHaveLength(1);
    for (const answer of answers.filter((one) => one !== won[0])) expectError(answer, 409, 'DUPLICATE');
  });
});

describe('reading a workspace', () => {
  it('returns what was created', async () => {
    const workspace = await create('read');
    expect(await api.get(`${PATH}/${workspace.id}`)).toMatchObject({ status: 200, body: { workspace } });
  });

  it('answers the same for an unknown id and one of another organization', async () => {
    const { id } = await create('hidden', other);
    const theirs = await api.get(`${PATH}/${id}`);
    const absent = await api.get(`${PATH}/${UNKNOWN_ID}`);
    expectError(theirs, 404, 'NOT_FOUND');
    expect(theirs.body.error.replace(id, UNKNOWN_ID)).toBe(absent.body.error);
    expect(absent.body.details).toEqual(theirs.body.details);
  });
});

describe('updating a workspace', () => {
  it('changes the given fields, keeps the rest and advances updatedAt', async () => {
    const before = await create('before');
    const renamed = await api.patch(`${PATH}/${before.id}`, { name: 'Renamed' });
    expect(renamed).toMatchObject({
      status: 200,
      body: { workspace: { id: before.id, name: 'Renamed', slug: 'before' } },
    });
    expect(renamed.body.workspace.updatedAt >= before.updatedAt).toBe(true);

    const moved = await api.patch(`${PATH}/${before.id}`, { slug: 'after' });
    expect(moved.body.workspace).toMatchObject({ name: 'Renamed', slug: 'after' });
    expect((await api.get(`${PATH}/${before.id}`)).body).toEqual(moved.body);
  });

  it('refuses an empty body as NO_UPDATES', async () => {
    const { id } = await create('still');
    expectError(await api.patch(`${PATH}/${id}`, {}), 400, 'NO_UPDATES');
  });

  it('reports every problem at once and then changes nothing', async () => {
    const { id } = await create('intact');
    expectInvalid(
      await api.patch(`${PATH}/${id}`, { name: '', slug: '!', orgId: UNKNOWN_ID }),
      'name',
      'orgId',
      'slug',
    );
    expectInvalid(await api.patch(`${PATH}/${id}`, { name: null }), 'name');
    expectInvalid(await api.patch(`${PATH}/${id}`, { slug: null }), 'slug');
    expect((await api.get(`${PATH}/${id}`)).body.workspace).toMatchObject({ name: 'The intact', slug: 'intact' });
  });

  it('refuses a slug taken in the same organization and accepts its own', async () => {
    await create('first');
    const { id } = await create('second');
    expectError(await api.patch(`${PATH}/${id}`, { slug: 'first' }), 409, 'DUPLICATE');
    expect((await api.patch(`${PATH}/${id}`, { slug: 'second' })).status).toBe(200);
  });

  it('finds nothing under an unknown id or in another organization', async () => {
    const { id } = await create('foreign', other);
    expectError(await api.patch(`${PATH}/${UNKNOWN_ID}`, { name: 'x' }), 404, 'NOT_FOUND');
    expectError(await api.patch(`${PATH}/${id}`, { name: 'Stolen' }), 404, 'NOT_FOUND');
    expect((await other.get(`${PATH}/${id}`)).body.workspace.name).toBe('The foreign');
  });
});

describe('deleting a workspace', () => {
  it('returns {deleted, id}; afterwards the workspace is gone and its slug is free', async () => {
    const { id } = await create('gone');
    const { status, body } = await api.delete(`${PATH}/${id}`);
    expect({ status, body }).toEqual({ status: 200, body: { deleted: true, id } });
    expectError(await api.get(`${PATH}/${id}`), 404, 'NOT_FOUND');
    expectError(await api.delete(`${PATH}/${id}`), 404, 'NOT_FOUND');
    await create('gone');
  });

  it('does not affect the workspace of another organization', async () => {
    const { id } = await create('safe', other);
    expectError(await api.delete(`${PATH}/${id}`), 404, 'NOT_FOUND');
    expect((await other.get(`${PATH}/${id}`)).status).toBe(200);
  });

  it('succeeds for one of 10 racing requests', async () => {
    const { id } = await create('doomed');
    const answers = await Promise.all(Array.from({ length: 10 }, () => api.delete(`${PATH}/${id}`)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(9);
  });
});
