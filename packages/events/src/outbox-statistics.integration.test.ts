import { eventually } from './fixtures/eventually.js';
import { event, pool, recordingBus, startRelay, unpublished } from './fixtures/outbox.js';

const ORGANIZATIONS = 10_000;

const add = (count: number, published: string): Promise<unknown> =>
  pool.query(
    `INSERT INTO outbox (id, type, org_id, envelope, published_at)
     SELECT gen_random_uuid(), 'x', md5('o' || n % ${ORGANIZATIONS})::uuid, $2, ${published} FROM generate_series(1, $1::int) AS n`,
    [count, event().envelope],
  );

it('publishes a backlog of many organizations that is not in the statistics of the table', async () => {
  await pool.query('ALTER TABLE outbox SET (autovacuum_enabled = off)');
  await add(2 * ORGANIZATIONS, 'now()');
  await pool.query('VACUUM ANALYZE outbox');
  await add(4 * ORGANIZATIONS, 'NULL');
  const published: string[] = [];
  await startRelay(recordingBus(published));
  await eventually(async () => (await unpublished()) === 0, 100_000);
  expect(published).toHaveLength(4 * ORGANIZATIONS);
});
