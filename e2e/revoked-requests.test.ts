// Shapes: none; in full: processes
import { once } from 'node:events';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { type FakeProvider } from '@drawbridge/testkit';
import { type Answer, type Api, apiOf } from './support/api.js';
import { begin } from './support/begun-request.js';
import { rowsOf } from './support/database.js';
import { type Drawbridge, drawbridge } from './support/drawbridge.js';
import { githubWorkspace } from './support/github.js';
import { operatorOf } from './support/operator.js';
import { provider } from './support/provider.js';
import { newPerson, signIn } from './support/web-users.js';
import { unique } from './support/workspace-integrations.js';

/** The maximum staleness: after this time a change has taken effect everywhere. */
const KNOWN_MS = 1_000;
const KEYS = '/api/v1/api-keys';
const EXECUTE = '/api/v1/actions/execute';
/** A number of requests that is a multiple of each gateway's concurrency limit, so that most of them wait in the queue. */
const FLOOD = 450;
/** The number of requests that the gateways may have forwarded: their concurrency limit for one organization. */
const AT_WORK = 12;
/** The concurrency limit for runs of one organization at a gateway, and a number of additional runs. */
const [AT_ONCE, MORE] = [100, 20];
/** About 25 MB, which exceeds the buffers between a gateway and a client that does not read. */
const ENTRIES = 60_000;

let product: Drawbridge;
let api: Api;
let github: FakeProvider;

beforeAll(async () => {
  product = await drawbridge();
  expect(product.baseUrls).toHaveLength(2);
  api = product.api;
  github = await provider();
});
afterAll(() => github?.stop());

interface Key {
  plainKey: string;
  path: string;
  gateways: Api[];
}

async function newKey(): Promise<Key> {
  const { apiKey, plainKey } = (await api.post(KEYS, { name: 'Waits' })).body;
  return { plainKey, path: `${KEYS}/${apiKey.id}`, gateways: product.baseUrls.map((url) => apiOf(url, plainKey)) };
}

/** Waits until a change has taken effect everywhere, and calls `asked` during that time. Resolves with the time of the response to the change. */
async function known(change: Promise<Answer>, asked: Api): Promise<number> {
  expect((await change).status).toBe(200);
  const [answeredAt, knownFrom] = [Date.now(), performance.now() + KNOWN_MS];
  while (performance.now() < knownFrom) await asked.get(`${KEYS}?limit=1`);
  return answeredAt;
}

const named = (name: string): Promise<object[]> =>
  rowsOf(product.databaseUrl, 'SELECT id FROM members.api_keys WHERE name = $1', [name]);

describe('a request that was sent before a revocation and is processed more than a second after it', () => {
  it.each([
    ['a revoked key', 401, 'UNAUTHENTICATED', (key: Key) => api.delete(key.path)],
    [
      'a key with fewer grants',
      403,
      'FORBIDDEN',
      (key: Key) => api.patch(key.path, { permissions: { scope: 'org', grants: ['workspaces.read'] } }),
    ],
  ])('is refused to %s, at each gateway', async (_what, status, code, change) => {
    const key = await newKey();
    const name = unique('Late');
    const headers = { authorization: `Bearer ${key.plainKey}` };
    const begun = await Promise.all(product.baseUrls.map((url) => begin(url + KEYS, headers, { name })));
    await known(change(key), key.gateways[0]!);
    for (const { finish } of begun) expect(await finish()).toMatchObject({ status, body: { code } });
    expect(await named(name)).toEqual([]);
  });

  it('is refused to the session and the key of a removed member', async () => {
    const person = await newPerson(product.databaseUrl, { orgId: product.orgId, role: 'admin' });
    const wanted = { userEmail: person.email, orgId: product.orgId, name: 'Key' };
    const { plainKey } = await operatorOf(product.databaseUrl).createKey(wanted);
    const { cookies } = await signIn(product.baseUrl, person);
    const session = (origin: string) => ({ cookie: `session=${cookies.get('session')}`, origin });
    const name = unique('Late');
    const begun = await Promise.all(
      product.baseUrls.flatMap((url) =>
        [session(url), { authorization: `Bearer ${plainKey}` }].map((by) => begin(url + KEYS, by, { name })),
      ),
    );
    const { members } = (await api.get('/api/v1/members?limit=100')).body;
    const { id } = members.find((one: { userEmail: string }) => one.userEmail === person.email);
    await known(api.delete(`/api/v1/members/${id}`), apiOf(product.baseUrl, plainKey));
    for (const { finish } of begun) {
      expect(await finish()).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } });
    }
    expect(await named(name)).toEqual([]);
  });

  it('is refused in a queue of hundreds, which does not delay the revocation', async () => {
    const key = await newKey();
    const name = unique('Flood');
    let answered = 0;
    let revoke: (answer: Promise<Answer>) => void;
    const revocation = new Promise<Answer>((resolve) => (revoke = resolve));
    const one = async (gateway: Api): Promise<number> => {
      const { status } = await gateway.post(KEYS, { name, permissions: { scope: 'org', grants: [] } });
      if (++answered === FLOOD / 10) revoke(api.delete(key.path));
      return status;
    };
    const all = key.gateways.flatMap((gateway) => Array.from({ length: FLOOD }, () => one(gateway)));
    const answeredBefore = revocation.then(() => answered);
    const answeredAt = await known(revocation, key.gateways[0]!);
    expect(await answeredBefore).toBeLessThan(all.length / 2);
    expect([...new Set(await Promise.all(all))].sort()).toEqual([201, 401]);
    const late = 'SELECT id FROM members.api_keys WHERE name = $1 AND created_at > $2';
    const accepted = await rowsOf(product.databaseUrl, late, [name, new Date(answeredAt + KNOWN_MS)]);
    expect(accepted.length).toBeLessThanOrEqual(AT_WORK);
  });

  it('is refused as a run that waited for a slot of its organization', async () => {
    const key = await newKey();
    const { createIssue } = await githubWorkspace(api);
    let release = (): void => undefined;
    github.on('*', { status: 201, body: { number: 1 }, until: new Promise<void>((resolve) => (release = resolve)) });
    const runs = Array.from({ length: AT_ONCE + MORE }, () => key.gateways[0]!.post(EXECUTE, createIssue));
    await Promise.race([...runs, github.received(() => github.requests.length === AT_ONCE)]);
    await known(api.delete(key.path), key.gateways[1]!);
    release();
    const statuses = (await Promise.all(runs)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(MORE);
    expect(github.requests).toHaveLength(AT_ONCE);
  });

  it('is aborted in the middle of an export', async () => {
    const key = await newKey();
    const fill = `INSERT INTO members.audit_entries
      (id, org_id, seq, actor_type, action, resource_type, outcome, request_id, created_at, hash)
      SELECT gen_random_uuid(), $1, 1000000 + n, 'system', 'connection.use', 'connection', 'allowed', '', now(), '\\x00'
      FROM generate_series(1, ${ENTRIES}) AS n`;
    await rowsOf(product.databaseUrl, fill, [product.orgId]);
    const headers = { authorization: `Bearer ${key.plainKey}` };
    const [response] = (await once(
      httpGet(`${product.baseUrls[0]}/api/v1/audit-log/export`, { headers }),
      'response',
    )) as [IncomingMessage];
    expect(response.statusCode).toBe(200);
    await known(api.delete(key.path), key.gateways[1]!);
    let lines = 0;
    const read = async (): Promise<void> => {
      for await (const chunk of response.setEncoding('utf8')) lines += (chunk as string).split('\n').length - 1;
    };
    await expect(read()).rejects.toThrow('aborted');
    expect(lines).toBeLessThan(ENTRIES);
  });
});
