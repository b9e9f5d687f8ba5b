import { eventually } from './fixtures/eventually.js';
import { DRAIN_MS, openTestQueue, type TestQueue } from './fixtures/test-queue.js';

const MANY = 100;
/** Maximum number of concurrent jobs of one organization. */
const SHARE = 5;
/** Number of slots per process. */
const PLACES = 50;
/** Number of hanging jobs, which exceeds the number of slots. */
const HANGING = 60;

let queue: TestQueue;

beforeAll(async () => (queue = await openTestQueue()));
afterAll(() => queue.close());
afterEach(() => queue.reset());

/** Returns a task that blocks the jobs of organization `a` until they are released, and counts how many run at the same time. */
function holding() {
  const its = { atOnce: 0, most: 0, done: [] as string[] };
  let letGo = (): void => undefined;
  const gone = new Promise<void>((resolve) => (letGo = resolve));
  const task = async ({ of }: { of: string }): Promise<void> => {
    its.most = Math.max(its.most, ++its.atOnce);
    if (of === 'a') await gone;
    its.atOnce--;
    its.done.push(of);
  };
  return { its, task, letGo };
}

async function claimed(): Promise<number> {
  const sql = `SELECT count(*)::int AS count FROM ${queue.schema}.jobs WHERE lease IS NOT NULL`;
  return (await queue.pool.query<{ count: number }>(sql)).rows[0]?.count ?? NaN;
}

describe('an organization with jobs that hang', () => {
  it('has its slots of a process, and delays no other organization', async () => {
    const { its, task, letGo } = holding();
    const jobs = await queue.start({ task });
    for (let n = 0; n < MANY; n++) await jobs.enqueue(queue.pool, 'task', { of: 'a' }, { orgId: 'a' });
    await eventually(() => its.atOnce === SHARE);
    await jobs.enqueue(queue.pool, 'task', { of: 'b' }, { orgId: 'b' });
    await jobs.enqueue(queue.pool, 'task', { of: 'unknown' });
    await eventually(async () => its.done.length === 2 && (await claimed()) === SHARE);
    expect([its.done.sort(), its.atOnce]).toEqual([['b', 'unknown'], SHARE]);

    letGo();
    // A job begins as soon as another job completes, without waiting for a poll.
    await eventually(async () => (await queue.count()) === 0);
    expect(its.done).toHaveLength(MANY + 2);
    expect(its.most).toBeLessThanOrEqual(SHARE + 2);
  });

  it('is one of many that use all slots, and others do not wait for all their jobs', async () => {
    const under: { of: string; end(): void }[] = [];
    let isOver = false;
    const jobs = await queue.start({
      async task({ of }: { of: string }) {
        if (!isOver) await new Promise<void>((end) => under.push({ of, end }));
      },
    });
    const enqueue = (of: string): Promise<void> => jobs.enqueue(queue.pool, 'task', { of }, { orgId: of });
    for (let n = 0; n < 5 * HANGING; n++) await enqueue(`${n % HANGING}`);
    await eventually(() => under.length === PLACES);
    await enqueue('late');
    for (let n = 0; n < HANGING && under.at(-1)?.of !== 'late'; n++) {
      under[n]?.end();
      await eventually(() => under.length === PLACES + n + 1);
    }
    const last = under.at(-1)?.of;
    isOver = true;
    for (const { end } of under) end();
    expect(last).toBe('late');
  });

  it('delays neither other processes nor the end of its own', async () => {
    const { its, task, letGo } = holding();
    const [jobs, other] = [await queue.start({ task }), await queue.start({ task })];
    await Promise.all(
      Array.from({ length: MANY }, () => jobs.enqueue(queue.pool, 'task', { of: 'a' }, { orgId: 'a' })),
    );
    await eventually(() => its.atOnce === 2 * SHARE);
    const ended = Promise.all([jobs.stop(Date.now() + DRAIN_MS), other.stop(Date.now() + DRAIN_MS)]);
    letGo();
    await ended;
    expect(its.atOnce).toBe(0);
    expect(await claimed()).toBe(0);
    expect(await queue.count()).toBeGreaterThan(0);
  });
});
