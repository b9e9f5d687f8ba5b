import { eventually } from './fixtures/eventually.js';
import { event, pool, recordingBus, startRelay, unpublished } from './fixtures/outbox.js';

const ORGANIZATIONS = 10_000;

const add = (count: number, published: string): Promise<unknown> =>
  pool.query(
    `INSERT INTO outbox (id, type, org_id, envelope, published_at)
     SELECT gen_random_uuid(), 'x', md5('o' || n % ${ORGANIZATIONS})::uuid, $2, ${published} FROM generate_series(1, $1::int) AS n`,
    [count, event().envelope],
  );

async function analyses(): Promise<number> {
  const { rows } = await pool.query(
    `SELECT analyze_count::int AS count FROM pg_stat_user_tables WHERE relname = 'outbox'`,
  );
  return rows[0].count;
}

it('publishes a backlog of many organizations that is not in the statistics of the table', async () => {
  await pool.query('ALTER TABLE outbox SET (autovacuum_enabled = off)');
  await add(2 * ORGANIZATIONS, 'now()');
  await pool.query('VACUUM ANALYZE outbox');
  await add(4 * ORGANIZATIONS, 'NULL');
  const before = await analyses();
  const published: string[] = [];
  await startRelay(recordingBus(published));
  await eventually(async () => (await unpublished()) === 0, 100_000);
  expect(published).toHaveLength(4 * ORGANIZATIONS);
  // The statistics are updated once, however many reads were slow before that.
  await eventually(async () => (await analyses()) === before + 1);
});
