// Shapes: local
import { type FakeProvider } from '@drawbridge/testkit';
import pg from 'pg';
import { type Answer, type Api } from './support/api.js';
import { drawbridge } from './support/drawbridge.js';
import { eventually } from './support/eventually.js';
import { expectError } from './support/expect.js';
import { githubWorkspace, type GithubWorkspace } from './support/github.js';
import { fresh } from './support/owned-resources.js';
import { provider as playProvider } from './support/provider.js';

const ISSUES = 'POST /repos/acme/app/issues';
const BAD_CREDENTIALS = { status: 401, body: { message: 'Bad credentials', status: '401' } };

let api: Api;
let database: pg.Client;
let provider: FakeProvider;
let github: GithubWorkspace;

beforeAll(async () => {
  const product = await drawbridge();
  api = product.api;
  provider = await playProvider();
  database = new pg.Client({ connectionString: product.databaseUrl });
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await provider.stop();
});
beforeEach(async () => {
  provider.reset();
  github = await githubWorkspace(api);
});

const execute = (fields: object = {}): Promise<Answer> =>
  api.post('/api/v1/actions/execute', { ...github.createIssue, ...fields });

const connection = async (): Promise<any> =>
  (await api.get(`/api/v1/connections?id=${github.connectionId}`)).body.connection;

/** Returns the requests with this credential. Filters by credential, because other test files can also reach the provider. */
const sentWith = (secret: string): string[] =>
  provider.requests
    .filter(({ headers }) => headers['authorization'] === `Bearer ${secret}`)
    .map(({ method, url }) => `${method} ${url}`);

async function expectFailed(answer: Answer, status: number): Promise<void> {
  expectError(answer, 400, 'ACTION_FAILED');
  expect(answer.body.details.provider.status).toBe(status);
}

describe('a credential that the provider refuses with 401', () => {
  it('sets its connection to ERROR at once and is not sent again', async () => {
    provider.on(ISSUES, BAD_CREDENTIALS);
    const before = new Date().toISOString();
    await expectFailed(await execute(), 401);

    const { status, error } = await connection();
    expect([status, error]).toEqual([
      'ERROR',
      { code: 'unauthorized', message: 'Bad credentials', since: error.since },
    ]);
    expect(error.since > before && error.since < new Date().toISOString()).toBe(true);

    const next = await execute();
    expectError(next, 400, 'CONNECTION_REQUIRED');
    expect(next.body.details).toEqual({ reason: 'error', connectionId: github.connectionId });
    expect(sentWith(github.secret)).toEqual([ISSUES]);
  });

  it('sets its connection to ERROR where no OAuth client can send its refresh token', async () => {
    const externalId = fresh();
    const tokens = { accessToken: 'gho_ended', refreshToken: 'ghr_x', expiresIn: 28_800 };
    const facts = { type: 'OAUTH2', integrationName: 'github', externalId, displayName: 'Without a client' };
    const { body } = await api.post('/api/v1/connections', { ...facts, ...tokens });
    provider.on(ISSUES, BAD_CREDENTIALS);
    const named = { integrationAlias: undefined, connectionExternalId: externalId };
    await expectFailed(await execute(named), 401);
    const { id } = body.connection;
    const { status } = (await api.get(`/api/v1/connections?id=${id}`)).body.connection;
    expect(status).toBe('ERROR');
  });

  it('does so for every concurrent run, and the first error is kept', async () => {
    provider.on(ISSUES, ({ body }) => ({ ...BAD_CREDENTIALS, body: { message: body.title } }));
    const input = (title: string): object => ({ input: { repo: 'acme/app', title } });
    await Promise.all(['one', 'two', 'three'].map((title) => execute(input(title))));
    const { error } = await connection();
    expect(['one', 'two', 'three']).toContain(error.message);
    expect(await connection()).toMatchObject({ status: 'ERROR', error });
  });

  it('returns the reason without the credential, whatever the provider quotes', async () => {
    provider.on(ISSUES, ({ headers }) => ({
      status: 401,
      body: { message: `No such ${headers.authorization}`, code: github.secret },
    }));
    await expectFailed(await execute(), 401);
    const { error } = await connection();
    expect(error).toMatchObject({ code: '[redacted]', message: 'No such Bearer [redacted]' });
  });

  it('is recorded although the caller aborted the request', async () => {
    let release = (): void => undefined;
    provider.on(ISSUES, { ...BAD_CREDENTIALS, until: new Promise<void>((resolve) => (release = resolve)) });
    const { key, baseUrl } = await drawbridge();
    const hungUp = new AbortController();
    const calling = fetch(`${baseUrl}/api/v1/actions/execute`, {
      method: 'POST',
      signal: hungUp.signal,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(github.createIssue),
    }).catch(() => undefined);
    await provider.received();
    hungUp.abort();
    await calling;
    release();
    await eventually(async () => expect((await connection()).status).toBe('ERROR'));
  });
});

// The test simulates a replacement: it changes the stored bytes of the credential while the provider rejects the credential that the call used.
it('a late 401 does not affect a credential that was replaced meanwhile', async () => {
  let release = (): void => undefined;
  provider.on(ISSUES, { ...BAD_CREDENTIALS, until: new Promise<void>((resolve) => (release = resolve)) });
  const late = execute();
  await provider.received();
  const replaced = `UPDATE connections.connections SET sealed = sealed || '\\x00' WHERE id = $1`;
  await database.query(replaced, [github.connectionId]);
  release();
  await expectFailed(await late, 401);
  expect(await connection()).toMatchObject({ status: 'ACTIVE', error: null });
});

it.each([400, 403, 404, 407, 500])('an answer with %i leaves the connection ACTIVE', async (status) => {
  provider.on(ISSUES, { status, body: { message: 'Bad credentials' } });
  await expectFailed(await execute(), status);
  expect(await connection()).toMatchObject({ status: 'ACTIVE', error: null });
});

it('a 401 after a redirect without the credential leaves the connection ACTIVE', async () => {
  const location = 'https://api.example.com/elsewhere';
  provider.on('GET /repos/acme/app/commits', { status: 302, headers: { location } });
  provider.on('GET /elsewhere', BAD_CREDENTIALS);
  await expectFailed(await execute({ actionName: 'list_commits', input: { repo: 'acme/app' } }), 401);
  const { headers } = await provider.received(({ url }) => url.endsWith('/elsewhere'));
  expect(headers['authorization']).toBeUndefined();
  expect(await connection()).toMatchObject({ status: 'ACTIVE', error: null });
});

it('a 401 from an address that the caller chose leaves the connection of the http integration ACTIVE', async () => {
  provider.on('GET /chosen', BAD_CREDENTIALS);
  const { workspaceId } = github;
  const names = {
    integrationName: 'http',
    externalId: 'shared',
    displayName: 'Shared',
    scope: 'WORKSPACE',
    workspaceId,
  };
  const made = await api.post('/api/v1/connections', { ...names, type: 'SECRET_TEXT', secretText: 'a-shared-token' });
  github.connectionId = made.body.connection.id;
  const call = { integrationName: 'http', actionName: 'send_request', connectionExternalId: 'shared', workspaceId };
  const input = { method: 'GET', url: 'https://api.example.com/chosen' };
  await expectFailed(await api.post('/api/v1/actions/execute', { ...call, input }), 401);
  expect(sentWith('a-shared-token')).toEqual(['GET /chosen']);
  expect(await connection()).toMatchObject({ status: 'ACTIVE', error: null });
});
