import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { eventually } from './fixtures/eventually.js';
import { DRAIN_MS, openTestQueue, type TestQueue } from './fixtures/test-queue.js';
import { JobFailure } from './job-failure.js';

const STUCK_WORKER = fileURLToPath(new URL('./fixtures/stuck-worker.mjs', import.meta.url));

let queue: TestQueue;
const done: string[] = [];
const note = async ({ text }: { text: string }) => void done.push(text);

beforeAll(async () => (queue = await openTestQueue()));
afterAll(() => queue.close());
afterEach(async () => {
  await queue.reset();
  done.length = 0;
});

describe('stop', () => {
  it('waits for the running jobs, records them and starts no new one', async () => {
    const begun: (() => void)[] = [];
    const jobs = await queue.start({
      slow: async ({ text }: { text: string }) => {
        await new Promise<void>((resolve) => begun.push(resolve));
        done.push(text);
      },
    });
    await jobs.enqueue(queue.pool, 'slow', { text: 'slow' });
    // Waits until the job has started, because `stop` would return a job that is claimed but not started to the queue.
    await eventually(() => begun.length > 0);
    let isStopped = false;
    const stopped = jobs.stop(Date.now() + DRAIN_MS).then(() => (isStopped = true));
    await jobs.enqueue(queue.pool, 'slow', { text: 'after' });
    expect(isStopped).toBe(false);

    begun[0]?.();
    await stopped;
    expect([done, await queue.count(), await holders()]).toEqual([['slow'], 1, []]);
  });

  it('stops at its deadline and leaves running jobs to other processes', async () => {
    const begun: (() => void)[] = [];
    const jobs = await queue.start({ stuck: () => new Promise<void>((resolve) => begun.push(resolve)) });
    await jobs.enqueue(queue.pool, 'stuck', undefined);
    await eventually(() => begun.length > 0);
    await jobs.stop(Date.now());
    await queue.start({ stuck: async () => done.push('taken over') });

    await eventually(() => done.length > 0);
    expect(done).toEqual(['taken over']);
    begun[0]?.();
  });

  it('leaves waiting jobs to the next start', async () => {
    const jobs = await queue.start({ note });
    await jobs.stop(Date.now() + DRAIN_MS);
    await jobs.enqueue(queue.pool, 'note', { text: 'waited' });
    await queue.start({ note });

    await eventually(() => done.length > 0);
    expect(done).toEqual(['waited']);
  });
});

describe('a worker', () => {
  it('continues after its connections were cut', async () => {
    const jobs = await queue.start({ note });
    await jobs.enqueue(queue.pool, 'note', { text: 'before' });
    await eventually(() => done.length > 0);
    await queue.pool.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1', [
      queue.service,
    ]);
    await jobs.enqueue(queue.pool, 'note', { text: 'after' });

    await eventually(() => done.length > 1);
    expect(done).toEqual(['before', 'after']);
  });

  it('continues after its connection was cut during its first query', async () => {
    await (await queue.start({ note })).stop(Date.now() + DRAIN_MS);
    const blocker = await queue.pool.connect();
    await blocker.query(`BEGIN; LOCK TABLE ${queue.schema}.jobs`);
    const started = queue.start({ note });
    await eventually(async () => (await cutAsking()) > 0);
    await blocker.query('COMMIT');
    blocker.release();
    await (await started).enqueue(queue.pool, 'note', { text: 'asked again' });

    await eventually(() => done.length > 0);
    expect(done).toEqual(['asked again']);
  });

  it('continues when another service creates its queue in the same database', async () => {
    const jobs = await queue.start({ note });
    await queue.start({ note }, `${queue.service}_b`);
    await jobs.enqueue(queue.pool, 'note', { text: 'after' });

    await eventually(() => done.length > 0);
    expect(process.exitCode).toBeUndefined();
    await queue.drop(`${queue.service}_b`);
  });

  it('starts together with others on a new database', async () => {
    const service = `${queue.service}_new`;
    await Promise.all([1, 2, 3].map(() => queue.start({ note }, service)));
    await queue.drop(service);
  });
});

describe('a dead job', () => {
  it.each([
    [29, 1],
    [31, 0],
  ])('of %i days ago is kept %i times', async (days, count) => {
    const fail = async (): Promise<void> => {
      throw new JobFailure('gone', { isFinal: true });
    };
    const jobs = await queue.start({ fail });
    await jobs.enqueue(queue.pool, 'fail', undefined);
    await eventually(async () => (await queue.dead()).length > 0);
    await jobs.stop(Date.now() + DRAIN_MS);
    const then = `now() - interval '${days} days'`;
    await queue.pool.query(`UPDATE ${queue.schema}.jobs SET updated_at = ${then}, due_at = ${then}`);

    await queue.start({ fail });
    expect(await queue.dead()).toHaveLength(count);
  });
});

describe('a job at work', () => {
  const record = async ({ text }: { text: string }, { attempt }: { attempt: number }) =>
    void done.push(text, `attempt ${attempt}`);

  it('runs again in another process after its process was killed with -9', async () => {
    const jobs = await queue.start({ work: record });
    await jobs.stop(Date.now() + DRAIN_MS);
    await jobs.enqueue(queue.pool, 'work', { text: 'again' });
    const child = await startStuckWorker();
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect([done, await holders()]).toEqual([[], [expect.any(String)]]);

    await queue.start({ work: record });
    await queue.passTime(true);
    await eventually(async () => (await queue.count()) === 0);
    expect(done).toEqual(['again', 'attempt 2']);
  });

  it('stays with its living process when other processes start', async () => {
    const jobs = await queue.start({ work: record });
    await jobs.stop(Date.now() + DRAIN_MS);
    await jobs.enqueue(queue.pool, 'work', { text: 'stays' });
    const child = await startStuckWorker();
    const holder = await holders();
    await queue.start({ work: record });
    expect([done, await holders()]).toEqual([[], holder]);

    child.kill('SIGKILL');
    await once(child, 'exit');
  });
});

/** Starts a process with a task that never completes. Resolves when the process has claimed a job. */
async function startStuckWorker(): Promise<ChildProcess> {
  const env = { ...process.env, SERVICE: queue.service, DATABASE_URL: queue.database.url };
  const child = spawn(process.execPath, [STUCK_WORKER], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return child;
}

/** Returns the lease of each running job. */
async function holders(): Promise<string[]> {
  const { rows } = await queue.pool.query(`SELECT lease FROM ${queue.schema}.jobs WHERE lease IS NOT NULL`);
  return rows.map((row) => row.lease);
}

/** Terminates the connections that wait for a lock. Returns their number. */
async function cutAsking(): Promise<number> {
  const sql = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1 AND wait_event_type = 'Lock'`;
  return (await queue.pool.query(sql, [queue.service])).rows.length;
}
