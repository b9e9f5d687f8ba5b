// Shapes: local
import { type Api, apiOf } from './support/api.js';
import { rowsOf } from './support/database.js';
import { drawbridge, type Drawbridge } from './support/drawbridge.js';
import { eventually } from './support/eventually.js';
import { expectError, expectInvalid, UNKNOWN_ID, TIMESTAMP, UUID_V7 } from './support/expect.js';
import { type Operations, testsOf } from './support/operation-cases.js';
import { newPerson, signIn } from './support/web-users.js';
import { apiOfPage } from './support/web.js';

const { beforeAll, describe, it } = testsOf(import.meta);

const PATH = '/api/v1/api-keys';

export const OPERATIONS: Operations = {
  ListApiKeys: { call: () => ({}) },
  CreateApiKey: {
    call: ({ workspaceId }) => ({ body: { name: 'Good', permissions: nothingIn(workspaceId) } }),
    ids: { 'body.permissions.workspaceIds.0': 'workspaceId' },
  },
  UpdateApiKey: {
    call: ({ keyId, workspaceId }) => ({
      path: { id: keyId },
      body: { name: 'Better', permissions: nothingIn(workspaceId) },
    }),
    ids: { 'path.id': 'keyId', 'body.permissions.workspaceIds.0': 'workspaceId' },
  },
  RevokeApiKey: {
    call: async ({ api }) => ({ path: { id: (await api.post(PATH, { name: 'x' })).body.apiKey.id } }),
    ids: { 'path.id': 'keyId' },
  },
};

/** Returns permissions without any grant, which every key that manages keys may grant. */
function nothingIn(workspaceId: string): object {
  return { scope: 'workspace', workspaceIds: [workspaceId], grants: [] };
}

let product: Drawbridge;
let api: Api;
let other: Api;

beforeAll(async () => {
  product = await drawbridge();
  ({ api, other } = product);
});

async function create(name: string, by = api): Promise<{ id: string; plainKey: string }> {
  const { status, body } = await by.post(PATH, { name });
  expect(status).toBe(201);
  return { id: body.apiKey.id, plainKey: body.plainKey };
}

const status = async (plainKey: string, baseUrl = product.baseUrl): Promise<number> =>
  (await apiOf(baseUrl, plainKey).get('/api/v1/workspaces')).status;

describe('creating a key', () => {
  it('answers 201 with the record and, only this once, the key', async () => {
    const { status, body } = await api.post(PATH, { name: 'CI' });
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        apiKey: {
          id: expect.stringMatching(UUID_V7),
          orgId: product.orgId,
          userId: expect.stringMatching(UUID_V7),
          name: 'CI',
          keyPrefix: body.plainKey.slice(0, 8),
          permissions: { scope: 'org', approvals: null, workspaceIds: null, grants: null },
          lastUsedAt: null,
          expiresAt: null,
          revokedAt: null,
          createdAt: expect.stringMatching(TIMESTAMP),
        },
        plainKey: expect.stringMatching(/^svc_[0-9A-Za-z]{46}$/),
      },
    });
  });

  it('returns a key that works at once and differs from others of the same name', async () => {
    const [one, two] = [await create('Same'), await create('Same')];
    expect(one.plainKey).not.toBe(two.plainKey);
    expect([await status(one.plainKey), await status(two.plainKey)]).toEqual([200, 200]);
  });

  it('creates a key that acts for the user who created it, by key or by session', async () => {
    const person = await newPerson(product.databaseUrl);
    const page = apiOfPage(product.baseUrl, await signIn(product.baseUrl, person));
    const first = (await page.post(PATH, { name: 'First' })).body;
    const second = (await apiOf(product.baseUrl, first.plainKey).post(PATH, { name: 'Second' })).body;
    for (const { apiKey } of [first, second]) expect(apiKey).toMatchObject({ userId: person.id, orgId: person.orgId });
  });

  it('reports every problem of the body', async () => {
    expectInvalid(await api.post(PATH, {}), 'name');
    expectInvalid(await api.post(PATH, { name: '' }), 'name');
    expectInvalid(await api.post(PATH, { name: 'x'.repeat(101) }), 'name');
    expectInvalid(await api.post(PATH, { name: ['x'], expiresAt: 'soon' }), 'expiresAt', 'name');
  });
});

describe('listing keys', () => {
  it('returns the newest first, revoked ones included, and never a plain key', async () => {
    const [older, newer] = [await create('Older', other), await create('Newer', other)];
    await other.delete(`${PATH}/${older.id}`);
    const { body } = await other.get(PATH);
    expect(body.total).toBe(3);
    expect(body.apiKeys.map(({ name }: { name: string }) => name)).toEqual(['Newer', 'Older', 'First key']);
    expect(body.apiKeys[1]).toMatchObject({ id: older.id, revokedAt: expect.stringMatching(TIMESTAMP) });
    expect(JSON.stringify(body)).not.toContain(newer.plainKey);
    expect(JSON.stringify(body).toLowerCase()).not.toContain('hash');
  });

  it('pages by limit and offset within their bounds', async () => {
    const { body } = await other.get(`${PATH}?limit=1&offset=2`);
    expect(body).toMatchObject({ apiKeys: [{ name: 'First key' }], total: 3 });
    expectInvalid(await other.get(`${PATH}?limit=101&offset=-1`), 'limit', 'offset');
  });

  it('shows when a key was last used', async () => {
    const { id, plainKey } = await create('Used');
    await status(plainKey);
    await eventually(async () => {
      const { body } = await api.get(PATH);
      const key = body.apiKeys.find((one: { id: string }) => one.id === id);
      expect(key.lastUsedAt).toMatch(TIMESTAMP);
    });
  });
});

describe('revoking a key', () => {
  it('takes effect at every gateway within a second and leaves other keys valid', async () => {
    const { id, plainKey } = await create('Short-lived');
    const everywhere = (): Promise<number[]> => Promise.all(product.baseUrls.map((url) => status(plainKey, url)));
    expect(new Set(await everywhere())).toEqual(new Set([200]));

    const { status: answered, body } = await api.delete(`${PATH}/${id}`);
    const revokedAt = Date.now();
    expect({ answered, body }).toEqual({ answered: 200, body: { deleted: true, id } });

    // Repeats the calls for a whole second, to detect a gateway that still accepts the key from a refreshed cache.
    while (Date.now() < revokedAt + 1_000) await everywhere();
    expect(new Set(await everywhere())).toEqual(new Set([401]));
    expect((await api.get(PATH)).status).toBe(200);
  });

  it('is idempotent', async () => {
    const { id } = await create('Twice');
    const revokedAt = async (): Promise<string> => {
      const { body } = await api.get(PATH);
      return body.apiKeys.find((one: { id: string }) => one.id === id).revokedAt;
    };
    await api.delete(`${PATH}/${id}`);
    const first = await revokedAt();
    expect((await api.delete(`${PATH}/${id}`)).body).toEqual({ deleted: true, id });
    expect(await revokedAt()).toBe(first);
  });

  it('finds nothing under an unknown id or in another organization', async () => {
    const { id, plainKey } = await create('Theirs', other);
    expectError(await api.delete(`${PATH}/${UNKNOWN_ID}`), 404, 'NOT_FOUND');
    expectError(await api.delete(`${PATH}/${id}`), 404, 'NOT_FOUND');
    expect(await status(plainKey)).toBe(200);
  });
});

it('no log contains a key', async () => {
  const { plainKey } = await create('Canary');
  await status(plainKey);
  await apiOf(product.baseUrl, `${plainKey}x`).get('/api/v1/workspaces');
  expect(product.logs()).not.toContain(plainKey.slice(8));
  expect(product.logs()).not.toContain(product.key.slice(8));
});

it('a key with unknown permissions is refused everything', async () => {
  const { id, plainKey } = await create('Nothing');
  expect(await status(plainKey)).toBe(200);
  const nothing = apiOf(product.baseUrl, plainKey);
  for (const permissions of ['{}', '{"scope":""}', '{"scope":"everything"}', 'null']) {
    await rowsOf(product.databaseUrl, `UPDATE members.api_keys SET permissions = '{"scope":"org"}' WHERE id = $1`, [
      id,
    ]);
    await eventually(async () => expect(await status(plainKey)).toBe(200));
    await rowsOf(product.databaseUrl, `UPDATE members.api_keys SET permissions = $2 WHERE id = $1`, [id, permissions]);
    await eventually(async () => expect(await status(plainKey)).toBe(403));
    expectError(await nothing.post(PATH, { name: 'More' }), 403, 'FORBIDDEN');
  }
});
