import { database, event, pool, writeEvents } from './fixtures/outbox.js';
import { outboxLag } from './outbox-lag.js';

const lagNow = () => outboxLag(pool, database.schema);

async function read(): Promise<number[]> {
  const values = await Promise.all(lagNow().metrics.map((metric) => metric.read()));
  return values.map(([{ value } = { value: -1 }]) => Math.round(value / 10) * 10);
}

it('is degraded, also in its metrics, once its oldest unpublished event is a minute old', async () => {
  expect([await lagNow().degraded(), await read()]).toEqual([[], [0, 0, 0]]);
  const ids = await writeEvents(Array.from({ length: 20 }, () => event()));
  const age = `UPDATE outbox SET created_at = now() - $2 * interval '1 second' WHERE id = $1`;
  await pool.query(age, [ids[0], 50]);
  expect([await lagNow().degraded(), await read()]).toEqual([[], [50, 20, 0]]);
  await pool.query(age, [ids[0], 300]);
  expect(await lagNow().degraded()).toEqual([expect.stringMatching(/^the oldest unpublished event is 30\d s old$/)]);
  await pool.query('UPDATE outbox SET published_at = now() WHERE id = $1', [ids[0]]);
  expect(await lagNow().degraded()).toEqual([]);
});

it('counts the events that the bus refuses', async () => {
  await pool.query(`INSERT INTO dead_events (id, type, org_id, envelope, created_at, reason)
    SELECT gen_random_uuid(), 'x', gen_random_uuid(), '', now(), 'too large' FROM generate_series(1, 10)`);
  expect(await read()).toEqual([0, 0, 10]);
});
