import { setImmediate as nextTick } from 'node:timers/promises';
import { containerSlots } from './container-slots.js';

const LIMITS = { organization: { atOnce: 1, waiting: 1 }, machine: { atOnce: 2, waiting: 10 } };
const refused = { code: 'RATE_LIMITED', status: 429, details: { retryAfter: 5 } };

it('refuses more runs of an organization than may wait, and runs that wait for too long', async () => {
  const slots = containerSlots({ ...LIMITS, maxWaitMs: 200 });
  const release = await slots.acquire({ organization: 'a' });
  const waiting = slots.acquire({ organization: 'a' });
  await expect(slots.acquire({ organization: 'a' })).rejects.toMatchObject(refused);
  await expect(waiting).rejects.toMatchObject(refused);
  release();
  (await slots.acquire({ organization: 'a' }))();
});

it('gives a slot of the machine to each organization in turn, and leaves none behind', async () => {
  const slots = containerSlots({
    organization: { atOnce: 2, waiting: 9 },
    machine: { atOnce: 1, waiting: 9 },
    maxWaitMs: 5_000,
  });
  const order: string[] = [];
  const run = async (organization: string): Promise<void> => {
    const release = await slots.acquire({ organization });
    order.push(organization);
    await new Promise((resolve) => setTimeout(resolve, 5));
    release();
  };
  await Promise.all(['a', 'a', 'a', 'a', 'b', 'b'].map(run));
  expect(order.indexOf('b')).toBeLessThan(4); // A run of organization b starts before the last runs of organization a.
  await run('c');
});

it('lets a caller leave the queue', async () => {
  const slots = containerSlots({ ...LIMITS, machine: { atOnce: 1, waiting: 9 }, maxWaitMs: 5_000 });
  const release = await slots.acquire({ organization: 'a' });
  const leaving = new AbortController();
  const waiting = slots.acquire({ organization: 'b', signal: leaving.signal });
  await nextTick();
  expect(slots.load()).toEqual({ running: 1, waiting: 1 });
  leaving.abort(new Error('left'));
  await expect(waiting).rejects.toMatchObject({ code: 'TIMEOUT' });
  release();
  (await slots.acquire({ organization: 'b' }))();
  expect(slots.load()).toEqual({ running: 0, waiting: 0 });
});
