// Shapes: none; in full: processes
import { randomBytes } from 'node:crypto';
import { adminOf, type FakeProvider, fakeProvider, type Product, startAdmin } from '@drawbridge/testkit';
import { type Answer, type Api, apiOf } from './support/api.js';
import { openClient, rowsOf } from './support/database.js';
import { eventually } from './support/eventually.js';
import { ownProduct } from './support/own-product.js';
import { waitUntilReady } from './support/wait-until-ready.js';

const [K1, K2, K3] = ['k1', 'k2', 'k3'].map((id) => `${id}:${randomBytes(32).toString('base64')}`) as [
  string,
  string,
  string,
];
const ROTATE = ['keys', 'rotate-master'];
const VAULT = 'connections';
const STORED = 150;
const AT_ONCE = 8;
const LEAST = 200;

const END_WAITING = `
  SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;

let provider: FakeProvider;
let product: Product;
let api: Api;
let workspaceId: string;
/** The external ids of the stored connections. Each external id is also the secret of its connection, so that a test can compare the two. */
const stored: string[] = [];

beforeAll(async () => {
  provider = await fakeProvider();
  const ORIGIN_MAP = JSON.stringify({ 'https://api.example.com': provider.url });
  product = await ownProduct({ env: { ORIGIN_MAP, MASTER_KEYS: K1 } });
  api = apiOf(product.baseUrl, product.key);
  workspaceId = (await api.post('/api/v1/workspaces', { name: 'W', slug: 'w' })).body.workspace.id;
  expect(await statusesOf(Array.from({ length: STORED }, create))).toEqual([201]);
});
afterAll(async () => {
  await product?.stop();
  await provider.stop();
});

async function create(): Promise<Answer> {
  const externalId = randomBytes(20).toString('hex');
  const body = { integrationName: 'http', displayName: 'H', type: 'SECRET_TEXT', secretText: externalId, externalId };
  const answer = await api.post('/api/v1/connections', body);
  if (answer.status === 201) stored.push(externalId);
  return answer;
}

const use = (connectionExternalId: string): Promise<Answer> =>
  api.post('/api/v1/actions/execute', {
    ...{ integrationName: 'http', actionName: 'send_request', workspaceId, connectionExternalId },
    input: { method: 'GET', url: 'https://api.example.com/' },
  });

async function statusesOf(answers: Promise<Answer>[]): Promise<number[]> {
  return [...new Set((await Promise.all(answers)).map(({ status }) => status))].sort();
}

/** Uses the connections, and creates one connection per five uses. The concurrency results in at least 50 calls per second on one processor. */
async function loadWhile<T>(work: Promise<T>): Promise<{ statuses: number[]; result: T }> {
  const answers: Promise<Answer>[] = [];
  let isOver = false;
  void work.finally(() => (isOver = true)).catch(() => undefined);
  const ask = async (): Promise<void> => {
    while (!isOver || answers.length < LEAST) {
      const turn = answers.length;
      answers.push(turn % 5 === 0 ? create() : use(stored[turn % stored.length]!));
      await answers[turn];
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, ask));
  return { statuses: await statusesOf(answers), result: await work };
}

/** Restarts the vault and waits until the execution service has reconnected. */
async function restartWith(...keys: string[]): Promise<void> {
  await product.kill(VAULT, 'SIGTERM');
  await product.restart(VAULT, { MASTER_KEYS: keys.join() });
  await waitUntilReady(product);
  await eventually(async () => expect((await use(stored[0]!)).status).toBe(200));
}

/** Expects that each connection works with its secret. */
async function expectAllWork(): Promise<void> {
  provider.reset();
  expect(await statusesOf(stored.map(use))).toEqual([200]);
  const sent = provider.requests.map(({ headers }) => headers['authorization']);
  expect(new Set(sent)).toEqual(new Set(stored.map((secret) => `Bearer ${secret}`)));
}

async function countUnder(id: string): Promise<number> {
  const sql = 'SELECT count(*)::int AS count FROM connections.connections WHERE master_key_id = $1';
  return (await rowsOf<{ count: number }>(product.databaseUrl, sql, [id]))[0]!.count;
}

it('a rotation runs twice concurrently without failed requests, and the old key can be removed', async () => {
  await restartWith(K2, K1);
  const rotate = adminOf(product.databaseUrl, { MASTER_KEYS: `${K2},${K1}` });
  const { statuses, result } = await loadWhile(Promise.all([rotate(...ROTATE), rotate(...ROTATE)]));
  expect(statuses).toEqual([200, 201]);
  const rotations = result as { rewrapped: number }[];
  for (const one of rotations) {
    expect(one).toEqual({ rewrapped: expect.any(Number), remaining: 0, masterKeyId: 'k2' });
  }
  expect(rotations.reduce((sum, { rewrapped }) => sum + rewrapped, 0)).toBe(STORED);

  await restartWith(K2);
  await expectAllWork();
});

it('a killed rotation still requires the old key and completes when it runs again', async () => {
  await restartWith(K3, K2);
  const keys = { MASTER_KEYS: `${K3},${K2}` };
  const held = await openClient(product.databaseUrl);
  await held.query('BEGIN');
  await held.query(`SELECT FROM connections.connections WHERE external_id = $1 FOR UPDATE`, [stored[7]]);
  const first = startAdmin(product.databaseUrl, keys, ...ROTATE);
  await eventually(async () => expect(await countUnder('k2')).toBe(1));
  await first.kill();
  await rowsOf(product.databaseUrl, END_WAITING); // PostgreSQL would continue the statement of the killed process
  await held.end();

  await expect(restartWith(K3)).rejects.toThrow('MASTER_KEYS: key k2 is missing');
  await restartWith(K3, K2);
  await expectAllWork();

  const again = await adminOf(product.databaseUrl, keys)(...ROTATE);
  expect(again).toEqual({ rewrapped: 1, remaining: 0, masterKeyId: 'k3' });
  await restartWith(K3);
  await expectAllWork();
});
