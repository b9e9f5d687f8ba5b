// Shapes: local
import { type Api, apiOf } from './support/api.js';
import { rowsOf } from './support/database.js';
import { type Drawbridge, drawbridge } from './support/drawbridge.js';
import { eventually } from './support/eventually.js';
import { expectError } from './support/expect.js';
import { operatorOf } from './support/operator.js';
import { join, newPerson } from './support/people.js';
import { newPerson as newWebUser, signIn } from './support/web-users.js';

let product: Drawbridge;
let api: Api;

beforeAll(async () => {
  product = await drawbridge();
  ({ api } = product);
});

/** Waits until an actor has `count` entries, and returns them. */
function entriesOf(actor: string, count: number): Promise<any[]> {
  return eventually(async () => {
    const { entries } = (await api.get(`/api/v1/audit-log?actor=${actor}`)).body;
    expect(entries).toHaveLength(count);
    return entries;
  });
}

async function newKey(name: string): Promise<{ id: string; plainKey: string }> {
  const { apiKey, plainKey } = (await api.post('/api/v1/api-keys', { name })).body;
  return { id: apiKey.id, plainKey };
}

/** Returns a valid key of a user that is no longer a member: removes the member, then reverts the revocation of the key. */
async function keyOfNobody(): Promise<{ id: string; plainKey: string }> {
  const person = await newPerson(product);
  const memberId = await join(api, person);
  const wanted = { userEmail: person.email, orgId: product.orgId, name: 'Unknown' };
  const made = await operatorOf(product.databaseUrl).createKey(wanted);
  await api.delete(`/api/v1/members/${memberId}`);
  await rowsOf(product.databaseUrl, 'UPDATE members.api_keys SET revoked_at = NULL WHERE id = $1', [made.apiKey.id]);
  return { id: made.apiKey.id, plainKey: made.plainKey };
}

describe('a call with a key that is no longer valid', () => {
  it.each([
    [
      'revoked',
      async () => {
        const key = await newKey('Revoked');
        await api.delete(`/api/v1/api-keys/${key.id}`);
        return key;
      },
    ],
    [
      'expired',
      async () => {
        const key = await newKey('Expired');
        await rowsOf(product.databaseUrl, 'UPDATE members.api_keys SET expires_at = now() WHERE id = $1', [key.id]);
        return key;
      },
    ],
    ['of a former member of the organization', keyOfNobody],
  ])('is recorded as one entry a minute: %s', async (why, make) => {
    const { id, plainKey } = await make();
    const own = apiOf(product.baseUrl, plainKey);
    await eventually(async () => expectError(await own.get('/api/v1/workspaces'), 401, 'UNAUTHENTICATED'));
    for (let call = 0; call < 30; call++) expectError(await own.post('/api/v1/workspaces', {}), 401, 'UNAUTHENTICATED');
    const [entry] = await entriesOf(id, 1);
    expect(entry).toMatchObject({
      action: 'api_key.use',
      actor: { type: 'api_key', id },
      resource: { type: 'api_key', id },
      outcome: 'denied',
      reason: `UNAUTHENTICATED: The API key is ${why}`,
      address: expect.stringMatching(/127\.0\.0\.1$/),
    });
    expect(JSON.stringify(entry)).not.toContain(plainKey.slice(8));
  });
});

it('a cross-site call with a session is recorded with its method and path', async () => {
  const person = await newWebUser(product.databaseUrl, { orgId: product.orgId, role: 'owner' });
  const web = await signIn(product.baseUrl, person);
  const forged = { 'content-type': 'application/json', origin: 'https://evil.example' };
  for (let call = 0; call < 30; call++)
    expect((await web.send('POST', '/api/v1/workspaces', { body: '{}', headers: forged })).status).toBe(403);
  const entries = (await entriesOf(person.id, 20)).filter(({ outcome }) => outcome === 'denied');
  expect(entries).toHaveLength(20);
  expect(entries[0]).toMatchObject({
    action: 'session.use',
    actor: { type: 'user', id: person.id, name: person.email },
    outcome: 'denied',
    reason: 'FORBIDDEN: The request comes from another site: POST /api/v1/workspaces',
  });
});
