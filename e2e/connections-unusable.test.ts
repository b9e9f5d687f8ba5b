// Shapes: local
import pg from 'pg';
import { type Answer, type Api } from './support/api.js';
import { drawbridge } from './support/drawbridge.js';
import { expectError } from './support/expect.js';
import { githubWorkspace, type GithubWorkspace } from './support/github.js';
import { expectWithinASecond } from './support/expect-within.js';

let api: Api;
let database: pg.Client;
let github: GithubWorkspace;

beforeAll(async () => {
  const product = await drawbridge();
  api = product.api;
  database = new pg.Client({ connectionString: product.databaseUrl });
  await database.connect();
});
afterAll(() => database.end());

beforeEach(async () => {
  github = await githubWorkspace(api);
});

/** Sets the state of the connection directly in the database, so that the tests do not depend on the operations that cause this state. */
async function set(assignments: string): Promise<void> {
  await database.query(`UPDATE connections.connections SET ${assignments} WHERE id = $1`, [github.connectionId]);
}

/** Waits at most a second, because a cached connection may be used for a second. */
async function expectRefused(fields: object, reason: string): Promise<void> {
  await expectWithinASecond(async () => {
    const answer: Answer = await api.post('/api/v1/actions/execute', { ...github.createIssue, ...fields });
    expectError(answer, 400, 'CONNECTION_REQUIRED');
    expect(answer.body.details).toEqual({ reason, connectionId: github.connectionId });
  });
}

const resolve = (): Promise<Answer> =>
  api.post('/api/v1/connections/resolve', { integrationName: 'github', workspaceId: github.workspaceId });

async function listed(query: string): Promise<string[]> {
  const { connections } = (await api.get(`/api/v1/connections?limit=100${query}`)).body;
  return connections.map(({ id }: { id: string }) => id);
}

describe('a suspended connection', () => {
  beforeEach(() => set('suspended_at = now()'));

  it('is listed only on request, and can be read and deleted', async () => {
    expect(await listed('')).not.toContain(github.connectionId);
    expect(await listed('&includeSuspended=false')).not.toContain(github.connectionId);
    expect(await listed('&includeSuspended=true')).toContain(github.connectionId);
    const read = await api.get(`/api/v1/connections?id=${github.connectionId}`);
    expect(read.body.connection).toMatchObject({ status: 'ACTIVE', suspendedAt: expect.any(String) });
    expect((await api.delete(`/api/v1/connections/${github.connectionId}`)).status).toBe(200);
  });

  it('is neither used, by strategy or by name, nor resolved', async () => {
    const { externalId } = (await api.get(`/api/v1/connections?id=${github.connectionId}`)).body.connection;
    await expectRefused({}, 'suspended');
    await expectRefused({ connectionExternalId: externalId }, 'suspended');
    expectError(await resolve(), 404, 'CONNECTION_NOT_FOUND');
  });
});

describe('a connection that the provider refused', () => {
  const error = { code: 'invalid_grant', message: 'The token was revoked', since: '2026-01-01T00:00:00.000Z' };

  beforeEach(() => set(`status = 'ERROR', error = '${JSON.stringify(error)}'`));

  it('shows the error', async () => {
    const read = await api.get(`/api/v1/connections?id=${github.connectionId}`);
    expect(read.body.connection).toMatchObject({ status: 'ERROR', error });
  });

  it('is neither used nor resolved', async () => {
    await expectRefused({}, 'error');
    expectError(await resolve(), 404, 'CONNECTION_NOT_FOUND');
  });
});

it('a modified sealed credential fails closed', async () => {
  await set(`sealed = set_byte(sealed, octet_length(sealed) - 1, get_byte(sealed, octet_length(sealed) - 1) # 1)`);
  const answer = await api.post('/api/v1/actions/execute', github.createIssue);
  expectError(answer, 500, 'INTERNAL');
});
