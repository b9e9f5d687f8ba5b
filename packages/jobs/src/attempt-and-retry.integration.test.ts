import { deliverWebhook, requireDelivered } from './deliver-webhook.js';
import { asPrisma } from './fixtures/as-prisma.js';
import { eventually } from './fixtures/eventually.js';
import { startReceiver } from './fixtures/receiver.js';
import { DRAIN_MS, openTestQueue, type TestQueue } from './fixtures/test-queue.js';
import { JobFailure } from './job-failure.js';
import { newWebhookSecret, signWebhook } from './sign-webhook.js';

let queue: TestQueue;

beforeAll(async () => (queue = await openTestQueue()));
afterAll(() => queue.close());
afterEach(() => queue.reset());

/** Returns a task that fails with `failure()`, and the attempts that it recorded. */
function failing(failure: () => Error) {
  const attempts: number[] = [];
  const fail = async (_: object, { attempt }: { attempt: number }): Promise<void> => {
    attempts.push(attempt);
    throw failure();
  };
  return { attempts, fail };
}

/** Returns the seconds from the failure of the only waiting job to its next attempt, or undefined while it runs. */
async function secondsLeft(): Promise<number | undefined> {
  const { rows } = await queue.pool.query<{ left: number }>(
    `SELECT extract(epoch FROM due_at - updated_at)::float8 AS left FROM ${queue.schema}.jobs WHERE lease IS NULL AND NOT is_ready`,
  );
  return rows[0]?.left;
}

async function waitsAfter(attempts: number[], attempt: number): Promise<number> {
  await eventually(async () => attempts.length === attempt && (await secondsLeft()) !== undefined);
  return (await secondsLeft()) ?? NaN;
}

describe('a job that fails', () => {
  it('is tried again by the schedule, ten times in all, and is dead then', async () => {
    const { attempts, fail } = failing(() => new Error('no luck'));
    const jobs = await queue.start({ fail });
    await jobs.enqueue(queue.pool, 'fail', {});

    for (const [index, delay] of [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400].entries()) {
      const left = await waitsAfter(attempts, index + 1);
      expect(left).toBeGreaterThan(delay * 0.8 - 2);
      expect(left).toBeLessThan(delay * 1.2 + 1);
      expect(await queue.dead()).toEqual([]);
      await queue.passTime();
    }
    await eventually(async () => (await queue.dead()).length > 0);
    await queue.passTime();
    expect(attempts).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it('is not tried before the time that its failure names', async () => {
    const { attempts, fail } = failing(() => new JobFailure('busy', { retryAfterMs: 3_600_000 }));
    const jobs = await queue.start({ fail });
    await jobs.enqueue(queue.pool, 'fail', {});

    expect(await waitsAfter(attempts, 1)).toBeGreaterThan(3_500);
  });

  it.each([NaN, Infinity, 1e308])('is tried again although its failure names the time %p', async (retryAfterMs) => {
    const { attempts, fail } = failing(() => new JobFailure('busy', { retryAfterMs }));
    const jobs = await queue.start({ fail });
    await jobs.enqueue(queue.pool, 'fail', {});
    const left = await waitsAfter(attempts, 1);
    expect(left).toBeGreaterThan(3);
    expect(left).toBeLessThanOrEqual(24 * 60 * 60);
  });

  it('counts no attempt that failed because our own services were unavailable', async () => {
    const away = Object.assign(new Error('connections is unavailable'), { code: 'UNAVAILABLE' });
    const { attempts, fail } = failing(() => (attempts.length < 3 ? away : new Error('its own')));
    const jobs = await queue.start({ fail });
    await jobs.enqueue(queue.pool, 'fail', {});

    for (const times of [1, 2, 3, 4]) {
      const left = await waitsAfter(attempts, times);
      expect(left).toBeGreaterThan(3);
      expect(left).toBeLessThan(times < 4 ? 7 : 361);
      await queue.passTime();
    }
    expect(attempts.slice(0, 4)).toEqual([1, 1, 1, 2]);
  });

  it('is dead at once when its failure is final, and can be delivered again', async () => {
    const { attempts, fail } = failing(() => new JobFailure('The receiver answered 410', { isFinal: true }));
    const jobs = await queue.start({ fail });
    await jobs.enqueue(queue.pool, 'fail', { deliveryId: 'd_1' }, { key: 'd_1' });
    await eventually(async () => (await queue.dead()).length > 0);
    const [dead] = await queue.dead();

    expect(dead).toEqual({
      task: 'fail',
      payload: { deliveryId: 'd_1' },
      error: 'The receiver answered 410',
      failedAt: expect.any(Date),
    });
    await jobs.enqueue(asPrisma(queue.pool), 'fail', { deliveryId: 'd_1' }, { key: 'd_1' });
    await eventually(() => attempts.length > 1);
    expect(attempts).toEqual([1, 1]);
  });

  it('leaves the list of dead jobs when a new job uses its key', async () => {
    const { fail } = failing(() => new JobFailure('gone', { isFinal: true }));
    const jobs = await queue.start({ fail });
    await jobs.enqueue(queue.pool, 'fail', { version: 1 }, { key: 'd_1' });
    await eventually(async () => (await queue.dead()).length > 0);
    await jobs.enqueue(queue.pool, 'fail', { version: 2 }, { key: 'd_1' });

    await eventually(async () =>
      (await queue.dead()).some(({ payload }) => JSON.stringify(payload) === '{"version":2}'),
    );
    expect(await queue.dead()).toHaveLength(1);
  });

  it('is not tried again when it was replaced while it ran', async () => {
    const runs: string[] = [];
    const jobs = await queue.start({
      poll: async ({ text }: { text: string }): Promise<void> => {
        runs.push(text);
        if (text === 'next') return;
        await jobs.enqueue(queue.pool, 'poll', { text: 'next' }, { key: 'source' });
        throw new Error('after it was followed');
      },
    });
    await jobs.enqueue(queue.pool, 'poll', { text: 'first' }, { key: 'source' });
    await eventually(() => runs.length === 2);
    await queue.passTime();
    await jobs.stop(Date.now() + DRAIN_MS);

    expect([runs, await queue.dead()]).toEqual([['first', 'next'], []]);
  });

  it('records only the name and code of an unexpected error, because its text may quote a secret', async () => {
    const { fail } = failing(() => Object.assign(new TypeError('token sk_live_1'), { code: 'E_X' }));
    const jobs = await queue.start({ fail });
    await jobs.enqueue(queue.pool, 'fail', {});
    await eventually(async () => (await secondsLeft()) !== undefined && (await lastError()) !== null);

    expect(await lastError()).toBe('TypeError E_X');
  });
});

describe('a webhook delivery', () => {
  it('is retried until its receiver accepts it', async () => {
    const receiver = await startReceiver((res, number) => res.writeHead([500, 302][number - 1] ?? 200).end());
    const { send, url } = receiver;
    const secrets = [newWebhookSecret()];
    const jobs = await queue.start({
      deliver: async ({ id }: { id: string }, { attempt }) => {
        const headers = { 'X-Svc-Attempt': `${attempt}` };
        const signature = signWebhook({ id, body: '{}', timestamp: attempt, secrets });
        requireDelivered(await deliverWebhook({ send, url, body: '{}', headers, signature }));
      },
    });
    await jobs.enqueue(queue.pool, 'deliver', { id: 'd_1' });

    await eventually(async () => {
      await queue.passTime();
      return (await queue.count()) === 0;
    });
    expect(receiver.received.map(({ headers }) => [headers['webhook-id'], headers['x-svc-attempt']])).toEqual([
      ['d_1', '1'],
      ['d_1', '2'],
      ['d_1', '3'],
    ]);
    await receiver.close();
  });
});

async function lastError(): Promise<string | null> {
  const { rows } = await queue.pool.query<{ last_error: string | null }>(
    `SELECT error AS last_error FROM ${queue.schema}.jobs`,
  );
  return rows[0]?.last_error ?? null;
}
