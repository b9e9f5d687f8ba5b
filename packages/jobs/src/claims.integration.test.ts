import { eventually } from './fixtures/eventually.js';
import { DRAIN_MS, holding, openTestQueue, type TestQueue } from './fixtures/test-queue.js';
import { statements } from './statements.js';
import { type JobContext } from './attempt-and-retry.js';
import { LIMITS } from './worker.js';

const BACKLOG = 200_000;

let queue: TestQueue;

beforeAll(async () => (queue = await openTestQueue()));
afterAll(() => queue.close());
afterEach(() => queue.reset());

describe('a claim', () => {
  it('finds organizations and targets in order, whatever plan PostgreSQL chooses', async () => {
    await (await queue.start({ task: async () => undefined })).stop(Date.now() + DRAIN_MS);
    await queue.pool.query(`INSERT INTO ${queue.schema}.jobs (task, key, org_id, target, due_at, is_ready)
      SELECT 'task', n::text, 'o' || n % 40, 't' || n % 37, now(), true FROM generate_series(1, 4000) AS n`);
    const client = await queue.pool.connect();
    await client.query('SET enable_nestloop = off; SET enable_mergejoin = off; SET enable_sort = off');
    // With this many cursors PostgreSQL joins the organizations by a hash, and returns them in the order of the cursors unless the statement sorts
    // them.
    const cursors = Array.from({ length: 500 }, (_, n) => `o${499 - n}`);
    const values = ['', [], 50, cursors, cursors.map(() => 't20'), 100, 'task'];
    const { rows: found } = await client.query({ text: statements(queue.schema).find.text, values });
    client.release(true);
    const inOrder = (one: { orgId: string }, other: { orgId: string }): number => (one.orgId < other.orgId ? -1 : 1);
    expect(found).toHaveLength(40 * 37);
    expect(found.map(({ orgId }) => orgId)).toEqual([...found].sort(inOrder).map(({ orgId }) => orgId));
    const its = found.filter(({ orgId }) => orgId === 'o0').map(({ target }) => target);
    expect(its.slice(0, 17)).toEqual([...its.slice(0, 17)].sort());
    expect([its[0]! > 't20', its.at(-1)]).toEqual([true, 't20']);
  });

  it('reads no more for jobs that wait or have ended', async () => {
    const sql = statements(queue.schema);
    await (await queue.start({ task: async () => undefined })).stop(Date.now() + DRAIN_MS);
    await queue.pool.query(
      `INSERT INTO ${queue.schema}.jobs (task, key, org_id, target, due_at, is_ready)
        SELECT 'task', n::text, 'o' || n % 100, 't' || n % 7, now(), n % 2 = 0 FROM generate_series(1, $1::int) AS n`,
      [BACKLOG],
    );
    await queue.pool.query(
      `UPDATE ${queue.schema}.jobs SET is_ready = false, due_at = now() + interval '1 h' WHERE is_ready`,
    );
    await queue.pool.query(`DELETE FROM ${queue.schema}.jobs WHERE id % 3 = 0`);
    const find = (): Promise<number> => buffersOf(sql.find.text, ['', [], 50, [], [], 100, 'task']);
    // VACUUM does not remove rows that an open transaction of another test file can still read.
    await eventually(async () => {
      await queue.pool.query(`VACUUM ANALYZE ${queue.schema}.jobs`);
      return (await find()) < 50;
    });
    expect(await find()).toBeLessThan(50);
    expect(await buffersOf(sql.promote.text, [1_000, ['task', 'other']])).toBeLessThan(20_000);
  });

  it('reads no more to find the tasks with ready jobs, if the statistics contain none', async () => {
    const sql = statements(queue.schema);
    await (await queue.start({ task: async () => undefined })).stop(Date.now() + DRAIN_MS);
    const insert = `INSERT INTO ${queue.schema}.jobs (task, key, org_id, target, due_at, is_ready)
      SELECT 'task', $2 || n, 'o' || n % 100, 't', now() + interval '1 h', $3 FROM generate_series(1, $1::int) AS n`;
    await queue.pool.query(insert, [BACKLOG, 'waiting', false]);
    await queue.pool.query(`VACUUM ANALYZE ${queue.schema}.jobs`);
    await queue.pool.query(insert, [BACKLOG, 'ready', true]);
    expect(await buffersOf(sql.promote.text, [1_000, ['other', 'another', 'task', 'last']])).toBeLessThan(100);
  });

  it('runs a ready job of which no notification arrived', async () => {
    const ran: string[] = [];
    const jobs = await queue.start({ task: async (payload: string) => void ran.push(payload) });
    await jobs.enqueue(queue.pool, 'task', 'first');
    await eventually(async () => ran.length === 1);
    await new Promise((resolve) => setTimeout(resolve, 500)); // The end of a job starts a search, which would find the second job.
    await queue.pool.query(`INSERT INTO ${queue.schema}.jobs (task, key, org_id, target, payload, due_at, is_ready)
      VALUES ('task', 'silent', 'o', 't', '"silent"', now(), true)`);
    await eventually(async () => ran.length === 2);
    expect(ran).toEqual(['first', 'silent']);
  });

  it('schedules each target fairly, whatever the backlog of others', async () => {
    const order: string[] = [];
    const task = async (target: string) => void order.push(target);
    const jobs = await queue.start({ task });
    await jobs.stop(Date.now() + DRAIN_MS);
    const of = (orgId: string, receiver: string, many: number) =>
      Array.from({ length: many }, () => ({ payload: receiver, orgId, receiver }));
    await jobs.enqueueAll(queue.pool, 'task', [
      ...of('a', 'busy', 500),
      ...of('a', 'quiet', 1),
      ...of('b', 'other', 1),
    ]);
    await queue.start({ task });
    await eventually(() => order.length === 502);
    expect([order.indexOf('quiet') < 20, order.indexOf('other') < 20]).toEqual([true, true]);
  });

  it('runs a job of another organization soon after it is due, however many were due before it', async () => {
    const ran: string[] = [];
    const jobs = await queue.start({ task: async (name: string) => void ran.push(name) });
    await jobs.stop(Date.now() + DRAIN_MS);
    await queue.pool.query(`INSERT INTO ${queue.schema}.jobs (task, key, org_id, target, payload, due_at, is_ready)
      SELECT 'task', n::text, 'a', '*', '"a"', now() - interval '1 minute', false FROM generate_series(1, 100000) AS n`);
    await jobs.enqueue(queue.pool, 'task', 'b', { orgId: 'b', runAt: new Date(Date.now() + 100) });
    await queue.start({ task: async (name: string) => void ran.push(name) });
    await eventually(() => ran.includes('b'));
    process.stdout.write(`Due behind 100,000 jobs: ran after ${ran.indexOf('b')} of them\n`);
    expect(ran.indexOf('b')).toBeLessThan(50_000);
  });

  it('reaches a target behind many with open circuits', async () => {
    const sent: string[] = [];
    const hanging = Array.from({ length: 250 }, (_, n) => `hanging ${n}`);
    const jobs = await queue.start({
      async task(receiver: string, { noteTarget }: JobContext) {
        sent.push(receiver);
        if (receiver !== 'healthy') noteTarget({ tookMs: 15_000, hasFailed: true });
      },
    });
    const of = (payload: string) => ({ payload, orgId: 'a', receiver: payload });
    await jobs.enqueueAll(queue.pool, 'task', hanging.map(of));
    await eventually(() => sent.length === hanging.length);
    await jobs.enqueueAll(queue.pool, 'task', [...hanging, 'healthy'].map(of));
    await eventually(() => sent.includes('healthy'));
    expect(sent).toHaveLength(hanging.length + 1);
  });
});

it('accepts a receiver with a name of any length', async () => {
  const done: string[] = [];
  const jobs = await queue.start({ task: async (name: string) => void done.push(name) });
  const receiver = Array.from({ length: 3_000 }, (_, n) => ((n * 7_919) % 65_521).toString(36)).join('');
  await jobs.enqueue(queue.pool, 'task', 'long', { orgId: 'a', receiver });
  await eventually(() => done.length === 1);
});

it('reserves slots of each task while another task hangs', async () => {
  const { runs, task } = holding();
  const sent: string[] = [];
  const jobs = await queue.start({ task, mail: async (to: string) => void sent.push(to) });
  for (let n = 0; n < 60; n++) await jobs.enqueue(queue.pool, 'task', undefined);
  await eventually(() => runs.length === LIMITS.process);
  for (let n = 0; n < 20; n++) await jobs.enqueue(queue.pool, 'mail', `${n}`);
  await eventually(() => sent.length === 20);
  expect(runs).toHaveLength(LIMITS.process);
  await jobs.stop(Date.now());
  for (const { end } of runs) end();
});

async function buffersOf(text: string, values: unknown[]): Promise<number> {
  const { rows: plan } = await queue.pool.query({ text: `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`, values });
  const { 'Shared Hit Blocks': hit, 'Shared Read Blocks': read } = plan[0]['QUERY PLAN'][0].Plan;
  return hit + read;
}
