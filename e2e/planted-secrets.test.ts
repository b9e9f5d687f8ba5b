// Shapes: none; in full: local
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type FakeProvider, fakeProvider, type Product } from '@drawbridge/testkit';
import { type Answer, apiOf } from './support/api.js';
import { canary, findCanaries } from './support/canaries.js';
import { rowsOf } from './support/database.js';
import { operatorOf } from './support/operator.js';
import { ownProduct } from './support/own-product.js';
import { credentialsOf, findInFiles, planted } from './support/planted.js';
import { plantGrant } from './support/plant-grants.js';
import { plantConnectSession, plantHostedLink, plantPortal } from './support/plant-links.js';
import { echoInTurn } from './support/reply-behaviours.js';
import { databaseContents } from './support/stored-contents.js';
import { type Shown, webOf } from './support/web.js';

const OF_EACH = 22;
const HTTP = { integrationName: 'http', displayName: 'H' };

const { plant, adopt, all } = planted();
const credentials = credentialsOf(plant);
/** A string that is not secret. The search must find it in every location, which proves that the search works there. */
const control = canary();

let provider: FakeProvider;
let product: Product;
let workspaceId: string;
/** All responses except those that return a secret once. */
const answers: string[] = [];
const pages: string[] = [];

beforeAll(async () => {
  provider = await fakeProvider();
  const masterKey = randomBytes(32);
  adopt('master key', masterKey.toString('base64').slice(0, -1));
  adopt('master key in hex', masterKey.toString('hex'));
  const hosts = ['api.example.com', 'github.com', 'api.github.com'];
  const ORIGIN_MAP = JSON.stringify(Object.fromEntries(hosts.map((host) => [`https://${host}`, provider.url])));
  const keys = { INTERNAL_KEY: plant('internal key'), MASTER_KEYS: `k1:${masterKey.toString('base64')}` };
  const OAUTH_APPS = JSON.stringify({
    github: { clientId: 'ours', clientSecret: plant("the operator's client secret") },
    slack: {
      clientId: 'ours',
      clientSecret: plant('another'),
      webhookSecret: plant("what slack signs the app's events with"),
    },
  });
  const more = { OAUTH_APPS, ORIGIN_MAP, LOG_LEVEL: 'trace', PUBLIC_RATE_LIMIT: 'null' };
  product = await ownProduct({ env: { ...keys, ...more }, embedded: true });
  adopt('bootstrap key', product.key.slice(10));
  workspaceId = (await ask('POST', '/api/v1/workspaces', { name: 'W', slug: 'w' })).body.workspace.id;
});
afterAll(async () => {
  await product?.stop();
  await provider.stop();
});

/** Sends a request without recording its response. */
const askOnce = (method: string, path: string, options: { body?: unknown; text?: string } = {}): Promise<Answer> =>
  apiOf(product.baseUrl, product.key).send(method, path, {
    ...options,
    headers: { 'content-type': 'application/json' },
  });

async function ask(method: string, path: string, body?: unknown, text?: string): Promise<Answer> {
  const answer = await askOnce(method, path, { body, text });
  answers.push(JSON.stringify([answer.status, answer.body, [...answer.headers]]));
  return answer;
}

async function look(shown: Promise<Shown>): Promise<Shown> {
  const { status, text, to, headers } = await shown;
  pages.push(JSON.stringify([status, to, text, [...headers].filter(([name]) => name !== 'set-cookie')]));
  return shown;
}

/** Sends a credential in a valid request, in requests that fail, and in calls. In each turn, the provider returns the credential differently. */
async function plantConnection(type: string, turn: number): Promise<void> {
  const credential = credentials[type]!();
  const externalId = `${type} ${turn}`;
  const body = { ...HTTP, type, externalId, displayName: control.text, ...credential };
  expect((await ask('POST', '/api/v1/connections', body)).status).toBe(201);
  expect((await ask('POST', '/api/v1/connections', body)).status).toBe(409);
  expect((await ask('POST', '/api/v1/connections', { ...body, scope: 'USER', more: credential })).status).toBe(400);
  expect((await ask('POST', '/api/v1/connections', undefined, JSON.stringify(body).slice(0, -1))).status).toBe(400);

  const input = { method: 'GET', url: `https://api.example.com/${turn}?type=${type}` };
  const call = { integrationName: 'http', actionName: 'send_request', workspaceId, connectionExternalId: externalId };
  await ask('POST', '/api/v1/actions/execute', { ...call, input, idempotencyKey: externalId });
  const denied = { ...input, url: `http://127.0.0.1:9/${turn}` };
  await ask('POST', '/api/v1/actions/execute', { ...call, input: denied });
  await ask('POST', '/api/v1/actions/execute', { ...call, input: { ...input, method: 'NONE' } });
}

it('credentials of every type are planted, refused, used and echoed', async () => {
  provider.on('*', echoInTurn);
  for (const type of Object.keys(credentials)) {
    await Promise.all(Array.from({ length: OF_EACH }, (_, turn) => plantConnection(type, turn)));
  }
});

it('passwords, sessions, API keys, invitations, OAuth apps, grants, and connect, portal and approval links are planted', async () => {
  for (let turn = 0; turn < 5; turn++) {
    const app = { integrationName: 'github', clientId: `client-${turn}`, clientSecret: plant('client secret') };
    expect((await ask('POST', '/api/v1/oauth-apps', app)).status).toBe(201);
    await ask('POST', '/api/v1/oauth-apps', { ...app, scopes: app });
    const email = `person-${turn}@example.com`;
    const password = plant('password');
    await operatorOf(product.databaseUrl).createUser({ email, password });
    const web = webOf(product.baseUrl);
    expect((await look(web.post('/sign-in', { email, password: plant('mistyped password') }))).status).toBe(401);
    expect((await look(web.post('/sign-in', { email, password }))).status).toBe(303);
    adopt('session', web.cookies.get('session')!);
    await look(web.get('/account'));

    const its = { plant, adopt, all, ask, askOnce, look, baseUrl: product.baseUrl, workspaceId };
    await plantConnectSession(its, turn);
    await plantPortal(its, turn);
    if (turn < 2) await plantHostedLink(its, turn);
    if (turn < 2) await plantGrant(its, provider, turn);

    const { secret } = (await askOnce('POST', '/api/v1/webhook-secret', { body: {} })).body;
    adopt('webhook secret', secret.slice(6));
    const { body } = await askOnce('POST', '/api/v1/api-keys', { body: { name: 'CI' } });
    adopt('API key', body.plainKey.slice(10));
    await ask('DELETE', `/api/v1/api-keys/${body.apiKey.id}`);
    const invited = await askOnce('POST', '/api/v1/members/invite', { body: { email: `invited-${turn}@example.com` } });
    adopt('invitation', new URL(invited.body.link).searchParams.get('invitation')!);
  }
});

describe('afterwards', () => {
  it('at least 200 secrets are planted, and most of them were sent', () => {
    expect(Object.keys(all).length).toBeGreaterThanOrEqual(200);
    const sent = provider.requests.map(({ headers }) => JSON.stringify(headers)).join('\n');
    expect(findCanaries(sent, all).length).toBeGreaterThanOrEqual(Object.keys(credentials).length * OF_EACH);
  });

  it('no response and no page contains a secret', async () => {
    const lists = [
      'connections',
      'oauth-apps',
      'executions',
      'api-keys',
      'audit-log',
      'members/invitations',
      'organization',
    ];
    for (const list of lists) await ask('GET', `/api/v1/${list}${list === 'organization' ? '' : '?limit=100'}`);
    expect(findCanaries(answers.join('\n'), { ...all, control })).toEqual(['control']);
    expect(findCanaries(pages.join('\n'), all)).toEqual([]);
  });

  it('no log line contains a secret', () => {
    expect(product.logs()).toContain('"request"');
    expect(findCanaries(product.logs(), all)).toEqual([]);
  });

  it('no row contains a secret, events included', async () => {
    const rows = await databaseContents(product.databaseUrl);
    expect(rows).toContain('members.outbox');
    expect(findCanaries(rows, { ...all, control })).toEqual(['control']);
  });

  it('no file of the database contains a secret, including its write-ahead log', async () => {
    const sql = `SELECT current_setting('data_directory') AS folder`;
    const { folder } = (await rowsOf<{ folder: string }>(product.databaseUrl, sql))[0]!;
    // The search runs before the exit, because PostgreSQL deletes WAL files that it no longer needs when it stops.
    expect(await findInFiles(join(folder, 'pg_wal'), { ...all, control })).toEqual(['control']);
    await product.kill('drawbridge', 'SIGTERM');
    expect(await findInFiles(join(folder, 'base'), { control })).toEqual(['control']);
    expect(await findInFiles(folder, all)).toEqual([]);
  });
});
