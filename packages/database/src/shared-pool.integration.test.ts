import { startDatabaseServer } from '@drawbridge/testkit';
import { lockQuota } from './row-quota.js';
import { acquirePool } from './shared-pool.js';

let server: Awaited<ReturnType<typeof startDatabaseServer>>;
let joined: ReturnType<typeof acquirePool>[];

beforeAll(async () => {
  server = await startDatabaseServer();
});
afterAll(() => server.stop());
beforeEach(() => {
  joined = Array.from({ length: 5 }, () => acquirePool(server.url));
});
afterEach(() => Promise.all(joined.map(({ leave }) => leave())));

it('is one per database and process, with 10 connections for any request', async () => {
  const [{ pool }] = joined as [(typeof joined)[0]];
  expect(new Set(joined.map((one) => one.pool)).size).toBe(1);
  await Promise.all(Array.from({ length: 200 }, (_, index) => joined[index % 5]!.pool.query('SELECT pg_sleep(0.01)')));
  const { rows } = await pool.query(
    `SELECT count(*)::int AS open FROM pg_stat_activity
     WHERE backend_type = 'client backend' AND query LIKE 'SELECT pg_sleep%'`,
  );
  expect(rows[0].open).toBeLessThanOrEqual(10);
  expect(pool.totalCount).toBe(10);
});

it('closes with its last user, and opens again', async () => {
  const [{ pool }] = joined as [(typeof joined)[0]];
  await Promise.all(joined.splice(0).map(({ leave }) => leave()));
  expect(pool.ended).toBe(true);
  joined = [acquirePool(server.url)];
  await expect(joined[0]!.pool.query('SELECT 1 AS one')).resolves.toMatchObject({ rows: [{ one: 1 }] });
});

it('limits the time of statements, locks and idle transactions, and has an empty search path', async () => {
  const { rows } = await joined[0]!.pool.query(
    `SELECT name, setting FROM pg_settings WHERE name IN
     ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'search_path') ORDER BY name`,
  );
  expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual({
    idle_in_transaction_session_timeout: '60000',
    lock_timeout: '5000',
    search_path: '',
    statement_timeout: '10000',
  });
});

it('a hanging process loses the lock of an organization before waiting callers time out', async () => {
  const { pool } = joined[0]!;
  const [hanging, waiting] = [await pool.connect(), await pool.connect()];
  try {
    for (const client of [hanging, waiting]) {
      await client.query('BEGIN');
      await lockQuota(client, { orgId: '1', table: 'rows' });
    }
    await expect(hanging.query('COMMIT')).rejects.toThrow();
    await waiting.query('COMMIT');
  } finally {
    for (const client of [hanging, waiting]) client.release(true);
  }
});
