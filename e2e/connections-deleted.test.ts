// Shapes: local; in full: kafka, processes
import { type Api } from './support/api.js';
import { drawbridge } from './support/drawbridge.js';
import { eventually } from './support/eventually.js';
import { expectError } from './support/expect.js';

const PATH = '/api/v1/connections';
const GITHUB = { type: 'SECRET_TEXT', integrationName: 'github', displayName: 'GitHub', secretText: 'ghp_x' };

let api: Api;
let made = 0;

beforeAll(async () => {
  ({ api } = await drawbridge());
});

const fresh = (): string => `connection-${++made}`;

async function newWorkspace(): Promise<string> {
  return (await api.post('/api/v1/workspaces', { name: 'W', slug: fresh() })).body.workspace.id;
}

async function create(fields: object = {}): Promise<{ id: string; externalId: string }> {
  const { status, body } = await api.post(PATH, { ...GITHUB, externalId: fresh(), ...fields });
  expect({ status, body }).toMatchObject({ status: 201 });
  return body.connection;
}

describe('deleting a connection', () => {
  it('succeeds for one of 10 racing requests and frees the externalId', async () => {
    const { id, externalId } = await create();
    const answers = await Promise.all(Array.from({ length: 10 }, () => api.delete(`${PATH}/${id}`)));
    const [won, ...more] = answers.filter(({ status }) => status === 200);
    expect(won?.body).toEqual({ deleted: true, id });
    expect(more).toEqual([]);
    expectError(await api.get(`${PATH}?id=${id}`), 404, 'NOT_FOUND');
    await create({ externalId });
  });

  it('clears the connectionId of the integrations that used it', async () => {
    const workspaceId = await newWorkspace();
    const { id } = await create();
    const integrations = `/api/v1/workspaces/${workspaceId}/integrations`;
    expect((await api.post(integrations, { integrationName: 'github', connectionId: id })).status).toBe(201);
    await api.delete(`${PATH}/${id}`);
    await eventually(async () => {
      expect((await api.get(integrations)).body.integrations).toMatchObject([{ connectionId: null }]);
    });
  });
});

describe('a deleted workspace', () => {
  it("deletes its own and its end users' connections and is cleared from those of the organization", async () => {
    const workspaceId = await newWorkspace();
    const kept = await create({ workspaceId });
    const mine = await create({ workspaceId, scope: 'WORKSPACE' });
    const personal = await create({ workspaceId, scope: 'USER', endUserId: 'a' });
    await api.delete(`/api/v1/workspaces/${workspaceId}`);
    await eventually(async () => {
      for (const { id } of [mine, personal]) expect((await api.get(`${PATH}?id=${id}`)).status).toBe(404);
      expect((await api.get(`${PATH}?id=${kept.id}`)).body.connection.workspaceId).toBeNull();
    });
  });

  it('leaves no connections that were created meanwhile', async () => {
    const workspaceId = await newWorkspace();
    const body = { ...GITHUB, scope: 'WORKSPACE', workspaceId };
    const creations = Array.from({ length: 30 }, () => api.post(PATH, { ...body, externalId: fresh() }));
    const [deleted, ...answers] = await Promise.all([api.delete(`/api/v1/workspaces/${workspaceId}`), ...creations]);
    expect(deleted.status).toBe(200);
    expect(answers.filter(({ status }) => status !== 201 && status !== 404)).toEqual([]);
    await eventually(async () => {
      const { connections } = (await api.get(`${PATH}?limit=100`)).body;
      expect(connections.filter((one: { workspaceId: string }) => one.workspaceId === workspaceId)).toEqual([]);
    });
  });
});
