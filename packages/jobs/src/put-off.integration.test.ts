import { createLogger } from '@drawbridge/rpc';
import { openTestQueue, type TestQueue } from './fixtures/test-queue.js';
import { jobs } from './jobs.js';
import { RECEIVER_SHARE } from './fair-claims.js';
import { type NoteTime, slowReceivers } from './put-off.js';
import { DUE_OF_ONE, statements } from './statements.js';

const MORE = 900;
const log = createLogger('jobs', 'silent');

let queue: TestQueue;
let noteTime: NoteTime;

/** Counts the due jobs by receiver. */
async function due(): Promise<Record<string, number>> {
  const { rows } = await queue.pool.query<{ flag: string; many: number }>(
    `SELECT flag, count(*)::int AS many FROM ${queue.schema}._private_jobs, jsonb_object_keys(flags) flag
     WHERE run_at <= now() GROUP BY flag`,
  );
  return Object.fromEntries(rows.map(({ flag, many }) => [flag, many]));
}

/** Returns the seconds until each job of a receiver is due, in their order of arrival. */
async function waits(receiver: string): Promise<number[]> {
  const { rows } = await queue.pool.query<{ wait: number }>(
    `SELECT extract(epoch FROM run_at - now())::float8 AS wait FROM ${queue.schema}._private_jobs WHERE flags ? $1 ORDER BY id`,
    [receiver],
  );
  return rows.map(({ wait }) => wait);
}

const after = (receiver: string | undefined, tookMs: number): Promise<void> => {
  const flags = receiver === undefined ? null : { acme: true as const, [receiver]: true as const };
  return noteTime({ flags }, tookMs);
};

beforeAll(async () => {
  queue = await openTestQueue();
  // Creates the schema, and stops before there are jobs.
  await (await queue.start({ task: async () => undefined })).stop(Date.now());
  const waiting = jobs({ service: queue.service, pool: queue.pool, tasks: { task: async () => undefined }, log });
  for (const receiver of ['slow', 'quick']) {
    const wanted = { payload: undefined as never, orgId: 'acme', receiver };
    await waiting.enqueueAll(
      queue.pool,
      'task',
      Array.from({ length: DUE_OF_ONE + MORE }, () => wanted),
    );
  }
  noteTime = slowReceivers({ pool: queue.pool, sql: statements(queue.schema), log });
});
afterAll(() => queue.close());

it('leaves what is due as it is after a job that was quick, or for nobody', async () => {
  await after('to quick', 1_999);
  await after(undefined, 60_000);
  expect(await due()).toMatchObject({ 'to slow': DUE_OF_ONE + MORE, 'to quick': DUE_OF_ONE + MORE });
});

it('puts off all but some of what waits for a slow receiver, each to before its turn, and nothing of others', async () => {
  await after('to slow', 2_000);
  expect(await due()).toMatchObject({ 'to slow': DUE_OF_ONE, 'to quick': DUE_OF_ONE + MORE });
  const late = (await waits('to slow')).flatMap((wait, place) => (wait > (place * 2) / RECEIVER_SHARE ? [place] : []));
  expect(late).toEqual([]);
});

it('brings back what was never tried when its receiver is quick again', async () => {
  const table = `${queue.schema}._private_jobs`;
  await queue.pool.query(
    `UPDATE ${table} SET attempts = 1 WHERE run_at > now() AND id NOT IN (SELECT id FROM ${table} WHERE run_at > now() ORDER BY id LIMIT 3)`,
  );
  await after('to slow', 1_999);
  expect(await due()).toMatchObject({ 'to slow': DUE_OF_ONE + 3 });
});
