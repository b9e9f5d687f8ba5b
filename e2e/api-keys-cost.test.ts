// Shapes: none; in full: local
import { newApiKey } from '@drawbridge/contracts';
import { type Product, temporaryDatabase } from '@drawbridge/testkit';
import { apiOf, misspelt } from './support/api.js';
import { rowsOf } from './support/database.js';
import { type DatabaseProxy, databaseProxy } from './support/database-proxy.js';
import { eventually } from './support/eventually.js';
import { expectError, TIMESTAMP } from './support/expect.js';
import { ownProduct } from './support/own-product.js';

const PATH = '/api/v1/api-keys';
const LOOK_UP = /FROM members\.api_keys k .* WHERE k\.key_hash = \$1/s;
const WRITE = /UPDATE members\.api_keys SET last_used_at/;

let behind: Awaited<ReturnType<typeof temporaryDatabase>>;
let database: DatabaseProxy;
let product: Product;

beforeAll(async () => {
  behind = await temporaryDatabase();
  database = await databaseProxy(behind.url);
  const env = { DATABASE_URL: database.url, PUBLIC_RATE_LIMIT: 'null' };
  product = await ownProduct({ env });
});
afterAll(async () => {
  await product?.stop();
  await database?.stop();
  await behind?.drop();
});

const use = (plainKey: string) => apiOf(product.baseUrl, plainKey).get('/api/v1/workspaces');

async function create(): Promise<{ id: string; plainKey: string }> {
  const { body } = await apiOf(product.baseUrl, product.key).post(PATH, { name: 'Used' });
  return { id: body.apiKey.id, plainKey: body.plainKey };
}

async function lastUsedAt({ id }: { id: string }): Promise<string | null> {
  const { body } = await apiOf(product.baseUrl, product.key).get(PATH);
  return body.apiKeys.find((one: { id: string }) => one.id === id).lastUsedAt;
}

const shownAsUsed = (key: { id: string }): Promise<string> =>
  eventually(async () => {
    const at = await lastUsedAt(key);
    expect(at).toMatch(TIMESTAMP);
    return at!;
  });

/** Uses the key until the gateway's cache has expired and the members service has read the key again. */
async function useAnew(plainKey: string): Promise<void> {
  const before = database.count(LOOK_UP);
  await eventually(async () => {
    expect((await use(plainKey)).status).toBe(200);
    expect(database.count(LOOK_UP)).toBeGreaterThan(before);
  });
}

it('the first organization has the enterprise plan and its owner a key with all grants and approval decisions', async () => {
  const api = apiOf(product.baseUrl, product.key);
  const { organization, limits } = (await api.get('/api/v1/organization')).body;
  expect({ plan: organization.plan, workspaces: limits.workspaces }).toEqual({ plan: 'enterprise', workspaces: null });
  const { members } = (await api.get('/api/v1/members')).body;
  expect(members).toMatchObject([{ role: 'owner', userEmail: 'owner@localhost' }]);
  const { apiKeys } = (await api.get(PATH)).body;
  expect(apiKeys.at(-1)).toMatchObject({
    userId: members[0].userId,
    keyPrefix: product.key.slice(0, 8),
    permissions: { scope: 'org', approvals: { decide: true }, grants: null, workspaceIds: null },
  });
});

it('a key with a wrong checksum is refused without a database query', async () => {
  const { plainKey } = await create();
  await useAnew(plainKey);
  const before = database.count(LOOK_UP);
  const wrong = misspelt(plainKey);
  for (const key of [wrong, wrong, plainKey.slice(0, -1), `${plainKey}0`, `svc_${'a'.repeat(46)}`, 'svc_short'])
    expectError(await use(key), 401, 'UNAUTHENTICATED');
  expect(database.count(LOOK_UP)).toBe(before);

  expectError(await use(newApiKey()), 401, 'UNAUTHENTICATED');
  expect(database.count(LOOK_UP)).toBe(before + 1);
});

it('the first key needs no checksum and survives a restart', async () => {
  expect(product.key).toMatch(/^svc_[0-9a-f]{46}$/);
  expect((await use(product.key)).status).toBe(200);
  await create();
  await product.kill('drawbridge', 'SIGTERM');
  await product.restart('drawbridge');
  expect((await use(product.key)).status).toBe(200);
});

it('lastUsedAt is written once an hour for each key, outside of the requests', async () => {
  const [key, later] = [await create(), await create()];
  await useAnew(key.plainKey);
  const first = await shownAsUsed(key);
  await shownAsUsed({ id: (await firstKey()).id });

  const before = database.count(WRITE);
  await useAnew(key.plainKey);
  await useAnew(later.plainKey);
  await shownAsUsed(later); // by this time, an earlier use of the first key would have been written
  expect(database.count(WRITE)).toBe(before + 1);
  expect(await lastUsedAt(key)).toBe(first);

  await rowsOf(behind.url, `UPDATE members.api_keys SET last_used_at = now() - interval '61 minutes' WHERE id = $1`, [
    key.id,
  ]);
  await useAnew(key.plainKey);
  await eventually(async () => expect((await lastUsedAt(key))! > first).toBe(true));
  expect(database.count(WRITE)).toBe(before + 2);
});

async function firstKey(): Promise<{ id: string }> {
  const { body } = await apiOf(product.baseUrl, product.key).get(PATH);
  return body.apiKeys.find(({ name }: { name: string }) => name === 'First key');
}
