import { createLogger } from '@drawbridge/rpc';
import { CircuitBreaker } from './circuit-breaker.js';
import { Claimer } from './claimer.js';
import { eventually } from './fixtures/eventually.js';
import { holding, openTestQueue, type TestQueue } from './fixtures/test-queue.js';
import { LIMITS } from './worker.js';

const BACKLOG = 200_000;
const LEASE = '01926b3c-5a2e-7c41-9d0f-2b6a4f1e8c37';

let queue: TestQueue;

beforeAll(async () => (queue = await openTestQueue()));
afterAll(() => queue.close());
afterEach(() => queue.reset());

const rows = async (columns: string, ...values: unknown[]): Promise<Record<string, unknown>[]> =>
  (await queue.pool.query(`SELECT ${columns} FROM ${queue.schema}.jobs`, values)).rows;

describe('a lease', () => {
  it('is renewed while the job runs, whatever becomes due meanwhile', async () => {
    const { runs, task } = holding();
    const jobs = await queue.start({ task });
    await jobs.enqueue(queue.pool, 'task', undefined);
    await eventually(() => runs.length === 1);
    await queue.pool.query(
      `INSERT INTO ${queue.schema}.jobs (task, key, org_id, target, due_at, is_ready)
        SELECT 'other', n::text, 'o' || n % 100, '*', now(), false FROM generate_series(1, $1::int) AS n`,
      [BACKLOG],
    );
    await queue.start({ task });
    await new Promise((resolve) => setTimeout(resolve, 30_000));
    expect(runs).toHaveLength(1);
    expect(runs[0]!.context.signal.aborted).toBe(false);
    runs[0]!.end();
  });

  it('fences the end of a job that another process has', async () => {
    const { runs, task } = holding();
    const first = await queue.start({ task });
    await first.enqueue(queue.pool, 'task', undefined);
    await eventually(() => runs.length === 1);
    await queue.passTime(true);
    await eventually(() => runs.length === 2);
    runs[0]!.end();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await rows('attempts, lease IS NOT NULL AS "isLeased"')).toEqual([{ attempts: 2, isLeased: true }]);
    runs[1]!.end();
    await eventually(async () => (await queue.count()) === 0);
  });

  it('stops the work that cannot renew it', async () => {
    const { runs, task } = holding();
    const jobs = await queue.start({ task });
    await jobs.enqueue(queue.pool, 'task', undefined);
    await eventually(() => runs.length === 1);
    await queue.pool.query(`UPDATE ${queue.schema}.jobs SET lease = $1, due_at = now() + interval '1 hour'`, [LEASE]);
    const until = Date.now() + 26_000;
    while (!runs[0]!.context.signal.aborted && Date.now() < until) await new Promise((next) => setTimeout(next, 200));
    expect(runs[0]!.context.signal.aborted).toBe(true);
    runs[0]!.end();
  });

  it('is not that of the job that replaced it, although both run in one process', async () => {
    const { runs, task } = holding();
    const jobs = await queue.start({ task });
    for (const many of [1, 2]) {
      await jobs.enqueue(queue.pool, 'task', undefined, { key: 'one' });
      await eventually(() => runs.length === many);
    }
    const until = Date.now() + 26_000;
    while (!runs[0]!.context.signal.aborted && Date.now() < until) await new Promise((next) => setTimeout(next, 200));
    expect(runs.map(({ context }) => context.signal.aborted)).toEqual([true, false]);
    for (const { end } of runs) end();
  });

  it('ends for work that the queue released when it stopped', async () => {
    const { runs, task } = holding();
    const jobs = await queue.start({ task });
    await jobs.enqueue(queue.pool, 'task', undefined);
    await eventually(() => runs.length === 1);
    await jobs.stop(Date.now());
    expect(runs[0]!.context.signal.aborted).toBe(true);
    expect(await rows('is_ready AS "isReady", lease')).toEqual([{ isReady: true, lease: null }]);
    runs[0]!.end();
  });
});

describe('an attempt', () => {
  it('is counted before it begins', async () => {
    const { runs, task } = holding();
    const jobs = await queue.start({ task });
    await jobs.enqueue(queue.pool, 'task', undefined);
    await eventually(() => runs.length === 1);
    expect(await rows('attempts')).toEqual([{ attempts: 1 }]);
    runs[0]!.end();
  });

  it('is the last one for a job after its process has died in ten', async () => {
    const { runs, task } = holding();
    const jobs = await queue.start({ task });
    await jobs.enqueue(queue.pool, 'task', { poison: true });
    for (let attempt = 1; attempt <= 10; attempt++) {
      await eventually(() => runs.length === attempt);
      await queue.passTime(true);
    }
    await eventually(async () => (await queue.dead()).length === 1);
    expect((await queue.dead())[0]).toMatchObject({ payload: { poison: true }, error: null });
    expect(runs.map(({ context }) => context.attempt)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    for (const { end } of runs) end();
  });
});

it('claims again only after a pause, which doubles, while the database fails', async () => {
  let asked = 0;
  const query = () => Promise.reject(new Error(`cut ${++asked}`));
  const claimer = new Claimer({
    ...{ name: 'task', first: '', limits: LIMITS },
    find: query,
    claim: query,
    ...{ breaker: new CircuitBreaker(), log: createLogger('jobs', 'silent') },
    begin: async () => undefined,
  });
  for (const end = Date.now() + 3_500; Date.now() < end;) {
    claimer.look();
    await new Promise((next) => setTimeout(next, 5));
  }
  await claimer.stop();
  expect(asked).toBeGreaterThan(1);
  expect(asked).toBeLessThanOrEqual(3);
});
