import { createHash } from 'node:crypto';
import { eventually } from './fixtures/eventually.js';
import { openTestQueue, type TestQueue } from './fixtures/test-queue.js';

let queue: TestQueue;
let old: string;

/** Creates tables with the columns of graphile-worker 0.17.3 that `adoptJobs` uses. The previous version stored its jobs in them. */
beforeAll(async () => {
  queue = await openTestQueue();
  old = `${queue.service}_jobs`;
  await queue.pool.query(`
    CREATE SCHEMA ${old};
    CREATE TABLE ${old}._private_tasks (id int PRIMARY KEY, identifier text NOT NULL);
    CREATE TABLE ${old}._private_jobs (id bigserial PRIMARY KEY, task_id int NOT NULL, key text, payload json NOT NULL,
      run_at timestamptz NOT NULL DEFAULT now(), attempts smallint NOT NULL DEFAULT 0, max_attempts smallint NOT NULL DEFAULT 10,
      last_error text, updated_at timestamptz NOT NULL DEFAULT now(), locked_at timestamptz, locked_by text, flags jsonb);
    INSERT INTO ${old}._private_tasks VALUES (1, 'note')`);
});
afterAll(async () => {
  await queue.pool.query(`DROP SCHEMA ${old} CASCADE`);
  await queue.close();
});
afterEach(() => queue.reset());

const add = (columns: string, values: string): Promise<unknown> =>
  queue.pool.query(
    `INSERT INTO ${old}._private_jobs (task_id, payload, ${columns}) VALUES (1, '{"data": {"text": "it"}}', ${values})`,
  );

const left = async (): Promise<number> => (await queue.pool.query(`SELECT FROM ${old}._private_jobs`)).rowCount!;

it("runs jobs of the previous version's table, including those added later", async () => {
  const done: unknown[] = [];
  await add('key, flags', `'note:a', '{"acme": true, "to acme x": true}'`);
  await queue.start({ note: async (payload: unknown, { attempt }) => void done.push([payload, attempt]) });
  await eventually(() => done.length > 0);
  await add('key, attempts', `'note:b', 3`);
  await queue.start({ note: async (payload: unknown, { attempt }) => void done.push([payload, attempt]) });
  await eventually(() => done.length > 1);
  expect(done).toEqual([
    [{ text: 'it' }, 1],
    [{ text: 'it' }, 4],
  ]);
  expect(await left()).toBe(0);
});

it('stores for each job its due time, its owner, and whether it is dead', async () => {
  await add('key, flags, run_at', `'note:a:b', '{"acme": true, "to acme x": true}', now() + interval '1 hour'`);
  await add('key, attempts, last_error', `'note:dead', 10, 'The receiver answered 410'`);
  await queue.start({ note: async () => undefined });
  const { rows } = await queue.pool.query(
    `SELECT key, org_id, target, due_at > now() + interval '59 minutes' AS later FROM ${queue.schema}.jobs WHERE NOT is_dead`,
  );
  const target = createHash('sha256').update('acme x').digest('hex');
  expect(rows).toEqual([{ key: 'a:b', org_id: 'acme', target, later: true }]);
  expect(await queue.dead()).toMatchObject([
    { task: 'note', payload: { text: 'it' }, error: 'The receiver answered 410' },
  ]);
});

it('leaves jobs of a running process alone, takes over those of a dead one, and counts the attempt', async () => {
  const living = await queue.pool.connect();
  await living.query("SELECT pg_advisory_lock(hashtextextended('jobs living', 0))");
  await add('key, attempts, locked_at, locked_by', `'note:living', 1, now(), 'living'`);
  await add('key, attempts, locked_at, locked_by', `'note:dead', 1, now(), 'dead'`);
  const attempts: number[] = [];
  const note = async (_: unknown, { attempt }: { attempt: number }) => void attempts.push(attempt);
  await queue.start({ note });
  await eventually(() => attempts.length > 0);
  expect([attempts, await left()]).toEqual([[2], 1]);
  living.release(true);
  await queue.start({ note });
  await eventually(() => attempts.length > 1);
  expect(await left()).toBe(0);
});

it('keeps a waiting job there beside a dead job of the same key here', async () => {
  const done: unknown[] = [];
  const note = async (payload: unknown) => void done.push(payload);
  await (await queue.start({ note })).stop(Date.now());
  await queue.pool
    .query(`INSERT INTO ${queue.schema}.jobs (task, key, org_id, target, payload, due_at, is_ready, is_dead)
    VALUES ('note', 'a', '*', '*', '"old"', now(), false, true)`);
  await add('key', `'note:a'`);
  await queue.start({ note });
  await eventually(() => done.length > 0);
  expect([done, await left()]).toEqual([[{ text: 'it' }], 0]);
});

it('moves many jobs without losing one', async () => {
  await queue.pool.query(
    `INSERT INTO ${old}._private_jobs (task_id, payload, key, run_at)
      SELECT 1, '{"data": 1}', 'note:' || n, now() + interval '1 hour' FROM generate_series(1, 2500) AS n`,
  );
  await Promise.all([1, 2].map(() => queue.start({ note: async () => undefined })));
  await eventually(async () => (await left()) === 0);
  expect(await queue.count()).toBe(2_500);
});

it.each([
  ['newer', '1 minute', 'it'],
  ['older', '-1 minute', 'ours'],
])('keeps the newer of two waiting jobs of one key: that of the previous version is %s', async (_, age, text) => {
  const done: unknown[] = [];
  const note = async (payload: unknown) => void done.push(payload);
  await (await queue.start({ note })).stop(Date.now());
  await queue.pool.query(`INSERT INTO ${queue.schema}.jobs (task, key, org_id, target, payload, due_at, is_ready)
    VALUES ('note', 'a', '*', '*', '{"text": "ours"}', now(), false)`);
  await add('key, updated_at', `'note:a', now() + interval '${age}'`);
  await queue.start({ note });
  await eventually(() => done.length > 0);
  expect([done, await left()]).toEqual([[{ text }], 0]);
});

/** Claims a job as a worker of graphile-worker 0.17.3 does. */
const claimOld = () =>
  queue.pool.query<{ id: string; key: string }>(`UPDATE ${old}._private_jobs AS job
    SET attempts = attempts + 1, locked_by = 'living', locked_at = now()
    WHERE id = (SELECT id FROM ${old}._private_jobs WHERE locked_at IS NULL AND attempts < max_attempts AND run_at <= now()
      ORDER BY run_at, id LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING id, key`);

it('runs each job once beside a process of the previous version', async () => {
  const living = await queue.pool.connect();
  await living.query("SELECT pg_advisory_lock(hashtextextended('jobs living', 0))");
  const [ran, total] = [[] as string[], 600];
  const note = async (key: string) => void ran.push(key);
  const addOld = (from: number): Promise<unknown> =>
    queue.pool.query(
      `INSERT INTO ${old}._private_jobs (task_id, payload, key)
        SELECT 1, json_build_object('data', 'note:' || n), 'note:' || n FROM generate_series($1::int, $1::int + 299) AS n`,
      [from],
    );
  const work = async (): Promise<void> => {
    for (let claimed = await claimOld(); claimed.rowCount! > 0; claimed = await claimOld()) {
      ran.push(claimed.rows[0]!.key);
      await queue.pool.query(`DELETE FROM ${old}._private_jobs WHERE id = $1`, [claimed.rows[0]!.id]);
    }
  };
  await addOld(1);
  await Promise.all([work(), queue.start({ note }), queue.start({ note })]);
  await addOld(301);
  await Promise.all([work(), queue.start({ note })]);
  await eventually(async () => ran.length >= total && (await queue.count()) === 0);
  living.release(true);
  expect([ran.length, new Set(ran).size, await left()]).toEqual([total, total, 0]);
});
