// Shapes: local
import { type Api, apiOf } from './support/api.js';
import { rowsOf } from './support/database.js';
import { type Drawbridge, drawbridge } from './support/drawbridge.js';
import { eventually } from './support/eventually.js';
import { expectError, expectInvalid, UNKNOWN_ID, TIMESTAMP, UUID_V7 } from './support/expect.js';
import { type Operations, testsOf } from './support/operation-cases.js';
import { fresh } from './support/owned-resources.js';

const { beforeAll, describe, it } = testsOf(import.meta);

const PATH = '/api/v1/connect';
const FACTS = { integrationName: 'http', connectionName: "Ann's API" };

export const OPERATIONS: Operations = {
  CreateConnectToken: {
    call: ({ workspaceId }) => ({ body: { ...FACTS, scope: 'WORKSPACE', externalId: fresh(), workspaceId } }),
    // An unknown OAuth app returns OAUTH_APP_NOT_FOUND instead of a validation error, so this file tests the position separately.
    ids: { 'body.oauthAppId': null },
  },
  GetConnectSession: {
    call: async ({ api, workspaceId }) => ({ path: { sessionId: (await open({ workspaceId }, api)).sessionId } }),
    // For a session of another organization, the contract requires 403 instead of 404, so this file tests the position separately.
    ids: { 'path.sessionId': null },
  },
  PollConnectSession: {
    call: async ({ api, workspaceId }) => ({ body: { token: (await open({ workspaceId }, api)).token } }),
  },
};

interface Opened {
  token: string;
  connectUrl: string;
  expiresAt: string;
  sessionId: string;
}

let product: Drawbridge;
let api: Api;
let other: Api;
let anyone: Api;
let workspaceId: string;

beforeAll(async () => {
  product = await drawbridge();
  ({ api, other } = product);
  anyone = apiOf(product.baseUrl);
  workspaceId = await newWorkspace();
});

async function newWorkspace(by = api): Promise<string> {
  return (await by.post('/api/v1/workspaces', { name: 'Connect', slug: fresh() })).body.workspace.id;
}

async function open(fields: object = {}, by = api): Promise<Opened> {
  const { status, body } = await by.post(`${PATH}/token`, { ...FACTS, workspaceId, externalId: fresh(), ...fields });
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
}

const poll = (token: unknown) => anyone.post(`${PATH}/session/poll`, { token });

describe('a connect session', () => {
  it('has a link that is valid for 4 hours', async () => {
    const opened = await open({ externalId: 'first' });
    expect(opened).toEqual({
      token: expect.stringMatching(/^cst_[0-9A-Za-z]{46}$/),
      connectUrl: `${product.baseUrl}/connect?token=${opened.token}`,
      sessionId: expect.stringMatching(UUID_V7),
      expiresAt: expect.stringMatching(TIMESTAMP),
    });
    const { session } = (await api.get(`${PATH}/session/${opened.sessionId}`)).body;
    const { createdAt, expiresAt } = session;
    expect(session).toEqual({
      ...FACTS,
      id: opened.sessionId,
      externalId: 'first',
      status: 'PENDING',
      connectionId: null,
      error: null,
      expiresAt: opened.expiresAt,
      createdAt,
    });
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(4 * 3_600_000);
  });

  it('is polled with its token and without a key', async () => {
    const { token } = await open({ externalId: 'polled' });
    expect(await poll(token)).toMatchObject({
      status: 200,
      body: { status: 'PENDING', connectionId: null, integrationName: 'http', externalId: 'polled', error: null },
    });
  });

  it.each([undefined, ''])('cannot be polled without a token: %j', async (token) => {
    expectError(await poll(token), 400, 'MISSING_TOKEN');
  });

  it('cannot be polled with an unknown or expired token', async () => {
    const { token, sessionId } = await open();
    expectError(await poll(`${token}x`), 401, 'INVALID_TOKEN');
    expectError(await poll('a\u0001b'), 401, 'INVALID_TOKEN');
    const sql = 'UPDATE connections.connect_sessions SET expires_at = now() WHERE id = $1';
    await rowsOf(product.databaseUrl, sql, [sessionId]);
    expectError(await poll(token), 401, 'INVALID_TOKEN');
    expect((await api.get(`${PATH}/session/${sessionId}`)).status).toBe(200);
  });

  it('is forbidden if it belongs to another organization, and not found if it is unknown', async () => {
    const { sessionId } = await open();
    expectError(await other.get(`${PATH}/session/${sessionId}`), 403, 'FORBIDDEN');
    expectError(await other.get(`${PATH}/session/${UNKNOWN_ID}`), 404, 'NOT_FOUND');
    expectInvalid(await other.get(`${PATH}/session/x`), 'sessionId');
  });

  it('is deleted with its workspace', async () => {
    const place = await newWorkspace();
    const { token, sessionId } = await open({ workspaceId: place });
    await api.delete(`/api/v1/workspaces/${place}`);
    await eventually(async () => expectError(await poll(token), 401, 'INVALID_TOKEN'));
    expectError(await api.get(`${PATH}/session/${sessionId}`), 404, 'NOT_FOUND');
  });

  it('stores only a hash of its token', async () => {
    const { token, sessionId } = await open();
    await poll(token);
    const sql = 'SELECT row_to_json(s)::text AS text FROM connections.connect_sessions s WHERE id = $1';
    const [row] = await rowsOf<{ text: string }>(product.databaseUrl, sql, [sessionId]);
    const entries = await api.get(`/api/v1/audit-log?resourceId=${sessionId}`);
    for (const text of [row!.text, product.logs(), JSON.stringify(entries.body)]) expect(text).not.toContain(token);
    expect(row!.text).toContain(sessionId);
  });
});

describe('creating a connect session', () => {
  const refused = (fields: object, by = api) =>
    by.post(`${PATH}/token`, { ...FACTS, workspaceId, externalId: fresh(), ...fields });

  it('reports every problem of the body at once', async () => {
    const missing = ['integrationName', 'connectionName', 'externalId', 'workspaceId'];
    expectInvalid(await api.post(`${PATH}/token`, {}), ...missing);
    const wrong = { scope: 'EVERYBODY', oauthAppId: 'x', endUserId: '', colour: 'red' };
    expectInvalid(await refused(wrong), ...Object.keys(wrong));
  });

  it.each(['/done', 'javascript:alert(1)', 'https://ann:secret@app.example', 'x'])(
    'refuses to redirect to %s',
    async (uri) => {
      const redirects = { successRedirectUri: uri, errorRedirectUri: uri };
      expectInvalid(await refused(redirects), ...Object.keys(redirects));
    },
  );

  it('requires the end user of a USER connection', async () => {
    expectInvalid(await refused({ scope: 'USER' }), 'endUserId');
    expect((await refused({ scope: 'USER', endUserId: 'ann' })).status).toBe(200);
  });

  it('refuses an unknown integration and one that needs no connection', async () => {
    expectError(await refused({ integrationName: 'gitlub' }), 404, 'INTEGRATION_NOT_FOUND');
    expectInvalid(await refused({ integrationName: 'hash-encode' }), 'integrationName');
  });

  it('refuses an unknown OAuth app', async () => {
    expectError(await refused({ oauthAppId: UNKNOWN_ID }), 404, 'OAUTH_APP_NOT_FOUND');
  });

  it('finds an OAuth app by its id in capital letters', async () => {
    const app = { integrationName: 'github', clientId: 'own', clientSecret: 'own-secret' };
    const { id } = (await api.post('/api/v1/oauth-apps', app)).body.oauthApp;
    const { status } = await api.post(`${PATH}/token`, {
      ...{ ...FACTS, integrationName: 'github', workspaceId, externalId: fresh() },
      oauthAppId: id.toUpperCase(),
    });
    await api.delete(`/api/v1/oauth-apps/${id}`);
    expect(status).toBe(200);
  });

  it('refuses a workspace of another organization and a suspended one', async () => {
    expectError(await refused({ workspaceId: await newWorkspace(other) }), 404, 'NOT_FOUND');
    const place = await newWorkspace();
    await api.post(`/api/v1/workspaces/${place}/suspend`);
    const answer = await refused({ workspaceId: place });
    expectError(answer, 403, 'FORBIDDEN');
    expect(answer.body.details).toEqual({ reason: 'suspended' });
  });

  it('is rate-limited where the organization has 100,000 sessions', async () => {
    const set = `UPDATE connections.totals SET rows = rows + $1 WHERE "of" = 'connect_sessions' AND org_id = $2`;
    await rowsOf(product.databaseUrl, set, [100_000, product.orgId]);
    const answer = await refused({});
    await rowsOf(product.databaseUrl, set, [-100_000, product.orgId]);
    expectError(answer, 429, 'RATE_LIMITED');
    expect(answer.headers.get('retry-after')).toBe('3600');
  });

  it('refuses ORGANIZATION scope to a workspace-scoped key', async () => {
    const permissions = { scope: 'workspace', workspaceIds: [workspaceId] };
    const { plainKey } = (await api.post('/api/v1/api-keys', { name: 'Narrow', permissions })).body;
    const narrow = apiOf(product.baseUrl, plainKey);
    expectError(await refused({}, narrow), 403, 'SCOPE_DENIED');
    const { body } = await refused({ scope: 'WORKSPACE' }, narrow);
    expect((await narrow.get(`${PATH}/session/${body.sessionId}`)).status).toBe(200);
  });
});
