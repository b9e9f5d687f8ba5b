import { createLogger } from '@drawbridge/rpc';
import { openTestQueue, type TestQueue } from './fixtures/test-queue.js';
import { jobs } from './jobs.js';
import { putOffSlow } from './put-off.js';
import { DUE_OF_ONE, statements } from './statements.js';

const MORE = 20;
const log = createLogger('jobs', 'silent');

let queue: TestQueue;

/** Due jobs, by whom they are for. */
async function due(): Promise<Record<string, number>> {
  const { rows } = await queue.pool.query<{ flag: string; many: number }>(
    `SELECT flag, count(*)::int AS many FROM ${queue.schema}._private_jobs, jsonb_object_keys(flags) flag
     WHERE run_at <= now() GROUP BY flag`,
  );
  return Object.fromEntries(rows.map(({ flag, many }) => [flag, many]));
}

const after = (receiver: string | undefined, tookMs: number): Promise<void> => {
  const flags = receiver === undefined ? null : { acme: true as const, [receiver]: true as const };
  return putOffSlow({ flags }, tookMs, { pool: queue.pool, sql: statements(queue.schema), log });
};

beforeAll(async () => {
  queue = await openTestQueue();
  // Makes the schema, and takes nothing of what comes then.
  await (await queue.start({ task: async () => undefined })).stop(Date.now());
  const waiting = jobs({ service: queue.service, pool: queue.pool, tasks: { task: async () => undefined }, log });
  for (const receiver of ['slow', 'quick']) {
    for (let n = 0; n < DUE_OF_ONE + MORE; n++) {
      await waiting.enqueue(queue.pool, 'task', undefined as never, { orgId: 'acme', receiver });
    }
  }
});
afterAll(() => queue.close());

it('leaves what is due as it is after a job that was quick, or for nobody', async () => {
  await after('to quick', 1_999);
  await after(undefined, 60_000);
  expect(await due()).toMatchObject({ 'to slow': DUE_OF_ONE + MORE, 'to quick': DUE_OF_ONE + MORE });
});

it('puts off all but some of what waits for a slow receiver, and nothing of others', async () => {
  await after('to slow', 2_000);
  expect(await due()).toMatchObject({ 'to slow': DUE_OF_ONE, 'to quick': DUE_OF_ONE + MORE });
});
