import type { PoolClient } from 'pg';
import { asPrisma } from './fixtures/as-prisma.js';
import { eventually } from './fixtures/eventually.js';
import { openTestQueue, type TestQueue } from './fixtures/test-queue.js';
import type { Jobs } from './jobs.js';

interface Note {
  text: string;
}

let queue: TestQueue;
const done: string[] = [];
const note = async ({ text }: Note) => void done.push(text);

beforeAll(async () => (queue = await openTestQueue()));
afterAll(() => queue.close());
afterEach(async () => {
  await queue.reset();
  done.length = 0;
});

/** This function is never called. The compiler checks in it that a payload matches its task. */
const _misuse = (jobs: Jobs<{ note: typeof note }>) => [
  // @ts-expect-error: there is no such task
  jobs.enqueue(queue.pool, 'nothing', { text: '' }),
  // @ts-expect-error: that is not its payload
  jobs.enqueue(queue.pool, 'note', { txt: '' }),
];

const TRANSACTIONS = { pg: (client: PoolClient) => client, Prisma: asPrisma };

describe.each(Object.entries(TRANSACTIONS))('enqueue in a transaction of %s', (_, toTransaction) => {
  it('adds a job that runs after the commit and not before', async () => {
    const jobs = await queue.start({ note });
    const client = await queue.pool.connect();
    await client.query('BEGIN');
    await jobs.enqueue(toTransaction(client), 'note', { text: 'kept' });
    await jobs.enqueue(queue.pool, 'note', { text: 'meanwhile' });

    await eventually(() => done.length > 0);
    expect(done).toEqual(['meanwhile']);
    await client.query('COMMIT');
    client.release();
    await eventually(() => done.length > 1);
    expect(done).toEqual(['meanwhile', 'kept']);
  });

  it('leaves nothing after a rollback', async () => {
    const jobs = await queue.start({ note });
    const client = await queue.pool.connect();
    await client.query('BEGIN');
    await jobs.enqueue(toTransaction(client), 'note', { text: 'lost' });
    await client.query('ROLLBACK');
    client.release();

    expect(await queue.count()).toBe(0);
  });
});

describe('enqueue', () => {
  it.each([{ text: 'häuser "\\' }, { list: [1, null, { deep: true }] }, [1, 2], 'text', null])(
    'delivers the payload %j unchanged',
    async (payload) => {
      const got: unknown[] = [];
      const jobs = await queue.start({ take: async (given: unknown) => void got.push(given) });
      await jobs.enqueue(queue.pool, 'take', payload);

      await eventually(() => got.length > 0);
      expect(got).toEqual([payload]);
    },
  );

  it('waits for the time of a timer', async () => {
    const jobs = await queue.start({ note });
    await jobs.enqueue(queue.pool, 'note', { text: 'later' }, { runAt: new Date(Date.now() + 3_600_000) });
    await jobs.enqueue(queue.pool, 'note', { text: 'past' }, { runAt: new Date(0) });
    await eventually(() => done.length > 0);
    expect(done).toEqual(['past']);

    await queue.passTime();
    await eventually(() => done.length > 1);
    expect(done).toEqual(['past', 'later']);
  });

  it('runs each job once while several workers race', async () => {
    const [jobs] = await Promise.all([1, 2, 3].map(() => queue.start({ note })));
    const texts = Array.from({ length: 200 }, (_, index) => `${index}`);
    await Promise.all(texts.map((text) => jobs?.enqueue(queue.pool, 'note', { text })));

    await eventually(async () => (await queue.count()) === 0);
    expect([...done].sort()).toEqual(texts.sort());
  });

  it('separates the jobs of two services in one database', async () => {
    const other: string[] = [];
    const jobs = await queue.start({ note });
    await queue.start({ note: async ({ text }: Note) => void other.push(text) }, `${queue.service}_b`);
    await jobs.enqueue(queue.pool, 'note', { text: 'ours' });

    await eventually(async () => (await queue.count()) === 0);
    expect([done, other]).toEqual([['ours'], []]);
    await queue.drop(`${queue.service}_b`);
  });
});

const later = new Date(Date.now() + 3_600_000);

describe('enqueue with a key', () => {
  it('replaces the job of the task that waits under it: payload and time', async () => {
    const jobs = await queue.start({ note });
    await jobs.enqueue(queue.pool, 'note', { text: 'first' }, { key: 'k', runAt: later });
    await jobs.enqueue(queue.pool, 'note', { text: 'second' }, { key: 'k' });

    await eventually(async () => (await queue.count()) === 0);
    expect(done).toEqual(['second']);
  });

  it('does not touch jobs of other tasks or keys', async () => {
    const jobs = await queue.start({ note, other: note });
    await jobs.enqueue(queue.pool, 'note', { text: 'a' }, { key: 'k', runAt: later });
    await jobs.enqueue(queue.pool, 'other', { text: 'b' }, { key: 'k', runAt: later });
    await jobs.enqueue(queue.pool, 'note', { text: 'c' }, { key: 'l', runAt: later });

    expect(await queue.count()).toBe(3);
  });

  it('runs a job that enqueues itself again, as a polling timer does', async () => {
    const jobs = await queue.start({
      poll: async ({ left }: { left: number }): Promise<void> => {
        done.push(`${left}`);
        if (left > 0) await jobs.enqueue(queue.pool, 'poll', { left: left - 1 }, { key: 'source' });
      },
    });
    await jobs.enqueue(queue.pool, 'poll', { left: 2 }, { key: 'source' });

    await eventually(async () => (await queue.count()) === 0);
    expect(done).toEqual(['2', '1', '0']);
  });

  it('follows a job that is claimed in the very moment in which it would be replaced', async () => {
    const jobs = await queue.start({ note });
    await jobs.enqueue(queue.pool, 'note', { text: 'first' }, { key: 'k', runAt: later });
    const end = await claimAll();
    const added = jobs.enqueue(queue.pool, 'note', { text: 'second' }, { key: 'k' });
    await eventually(async () => (await waiting()) > 0);
    await end();

    await added;
    await eventually(() => done.length > 0);
    expect(done).toEqual(['second']);
  });
});

describe('enqueueAll', () => {
  it('adds many at once, each under its key and in its time', async () => {
    const jobs = await queue.start({ note });
    await jobs.enqueue(queue.pool, 'note', { text: 'replaced' }, { key: 'k', runAt: later });
    await jobs.enqueueAll(queue.pool, 'note', []);
    await jobs.enqueueAll(queue.pool, 'note', [
      { payload: { text: 'a\\ "\0' }, key: 'k' },
      { payload: { text: 'b' }, orgId: 'o', receiver: 'r' },
      { payload: { text: 'later' }, runAt: later },
    ]);
    await eventually(async () => (await queue.count()) === 1);
    expect([...done].sort()).toEqual(['a\\ "\0', 'b']);
  });

  it('adds all also where one is claimed in that moment', async () => {
    const jobs = await queue.start({ note });
    await jobs.enqueue(queue.pool, 'note', { text: 'first' }, { key: 'k', runAt: later });
    const end = await claimAll();
    const added = jobs.enqueueAll(
      queue.pool,
      'note',
      ['j', 'k', 'l'].map((key) => ({ payload: { text: key }, key })),
    );
    await eventually(async () => (await waiting()) > 0);
    await end();
    await added;
    await eventually(() => done.length > 2);
    expect([...done].sort()).toEqual(['j', 'k', 'l']);
  });
});

/** Claims all waiting jobs in an open transaction, so that other statements on these jobs wait until the transaction ends. */
async function claimAll(): Promise<() => Promise<void>> {
  const claim = await queue.pool.connect();
  await claim.query('BEGIN');
  await claim.query(
    `UPDATE ${queue.schema}.jobs SET is_ready = false, lease = gen_random_uuid(), due_at = now() + '1 h'`,
  );
  return async () => {
    await claim.query('COMMIT');
    claim.release();
  };
}

const WAITING = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

/** Counts the connections to this database that wait for a lock. */
const waiting = async (): Promise<number> => (await queue.pool.query(WAITING)).rows.length;
