import { TenantLimiter } from './tenant-limiter.js';

const never = new AbortController().signal;
let turns: TenantLimiter;

beforeEach(() => {
  turns = new TenantLimiter({ atOnce: 2, waiting: 2 });
});

it('gives each tenant its own turns', async () => {
  await Promise.all(['a', 'a', 'b', 'b'].map((tenant) => turns.acquire(tenant, never)));
  expect(turns.tenants).toBe(2);
});

it('lets the next of a tenant wait until one ends, first come first served', async () => {
  const order: string[] = [];
  const [first] = await Promise.all([turns.acquire('a', never), turns.acquire('a', never)]);
  const third = turns.acquire('a', never).then((end) => (order.push('third'), end));
  const fourth = turns.acquire('a', never).then((end) => (order.push('fourth'), end));
  await turns.acquire('b', never);
  expect(order).toEqual([]);
  first();
  const end = await third;
  expect(order).toEqual(['third']);
  end();
  await fourth;
  expect(order).toEqual(['third', 'fourth']);
});

it('refuses requests beyond the queue limit', async () => {
  const waits = Array.from({ length: 4 }, () => turns.acquire('a', never));
  await expect(turns.acquire('a', never)).rejects.toMatchObject({ code: 'TOO_BUSY' });
  for (const wait of waits) (await wait)();
});

it('alternates between the callers of one tenant, and refuses the last request of the longest line', async () => {
  const order: string[] = [];
  const ask = (by: string) =>
    turns.acquire('a', never, by).then(
      (end) => (order.push(by), end),
      ({ code }: { code: string }) => void order.push(`${by} ${code}`),
    );
  const running = [await ask('x'), await ask('x')];
  const waiting = [ask('x'), ask('x'), ask('y'), ask('x'), ask('z')];
  await Promise.all([waiting[1], waiting[3], waiting[4]]);
  expect(order.splice(0)).toEqual(['x', 'x', 'x TOO_BUSY', 'x TOO_BUSY', 'z TOO_BUSY']);
  for (const end of running) end!();
  await Promise.all([waiting[0], waiting[2]]);
  expect(order).toEqual(['x', 'y']);
});

it('refuses the requests of one caller beyond its own queue limit', async () => {
  const fair = new TenantLimiter({ atOnce: 1, waiting: Infinity, waitingPerCaller: 1 });
  const running = await fair.acquire('a', never, 'busy');
  const waiting = [fair.acquire('a', never, 'busy'), fair.acquire('a', never, 'other')];
  await expect(fair.acquire('a', never, 'busy')).rejects.toMatchObject({ code: 'TOO_BUSY' });
  running();
  for (const wait of waiting) (await wait)();
});

it('removes an aborted request, and forgets an idle tenant', async () => {
  const leaving = new AbortController();
  const [first, second] = await Promise.all([turns.acquire('a', never), turns.acquire('a', never)]);
  const waiting = turns.acquire('a', leaving.signal);
  const patient = turns.acquire('a', never);
  leaving.abort(new Error('left'));
  await expect(waiting).rejects.toThrow('left');
  first();
  (await patient)();
  second();
  expect(turns.tenants).toBe(0);
});

it('refuses requests with a passed deadline', async () => {
  await Promise.all([turns.acquire('a', never), turns.acquire('a', never)]);
  await expect(turns.acquire('a', AbortSignal.abort(new Error('late')))).rejects.toThrow('late');
});

it('leaves slots to the other callers of a tenant', async () => {
  const fair = new TenantLimiter({ atOnce: 3, atOncePerCaller: 2, waiting: 3 });
  const order: string[] = [];
  const ask = (by: string) => fair.acquire('a', never, by).then((end) => (order.push(by), end));
  const [slow] = await Promise.all([ask('slow'), ask('slow')]);
  const next = ask('slow');
  const quick = await ask('quick');
  expect(order.splice(0)).toEqual(['slow', 'slow', 'quick']);
  const others = [ask('quick'), ask('other')];
  quick();
  await others[0];
  slow();
  await next;
  expect(order).toEqual(['quick', 'slow']);
});

it('gives a slot that no waiting caller may have to the next caller', async () => {
  const fair = new TenantLimiter({ atOnce: 2, atOncePerCaller: 1, waiting: 3 });
  const first = await fair.acquire('a', never, 'slow');
  const second = await fair.acquire('a', never, 'quick');
  const waiting = fair.acquire('a', never, 'slow');
  second();
  (await fair.acquire('a', never, 'quick'))();
  first();
  (await waiting)();
  expect(fair.tenants).toBe(0);
});
