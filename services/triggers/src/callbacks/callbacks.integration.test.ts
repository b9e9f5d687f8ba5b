import { CircuitBreaker, type JobContext } from '@drawbridge/jobs';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '@drawbridge/contracts';
import { type OutgoingRequest, type OutgoingResponse } from '@drawbridge/egress';
import { type Source } from '../gen/prisma/client.js';
import { type WorkspaceState } from '../suspension/workspace-states.js';
import { deliveriesOf, hanging, newDelivering, OK, OPENED, pass, tell } from '../testing/delivering.js';
import { database, find, newSource } from '../testing/sources.js';
import { notifyCallbacks } from './callback-worker.js';

const JOB = { attempt: 1 } as JobContext;

/** The ids of the deliveries that were sent, in order. */
let sent: string[];
let answer: (request: OutgoingRequest) => Promise<OutgoingResponse>;
let open: () => Promise<typeof OPENED>;
let state: WorkspaceState;

beforeEach(() => {
  sent = [];
  answer = async () => OK;
  open = async () => OPENED;
  state = 'live';
});

const newProcess = (breaker?: CircuitBreaker) =>
  newDelivering({
    breaker,
    send: (request) => {
      sent.push(request.headers!['x-svc-delivery']!);
      return answer(request);
    },
    open: () => open(),
    find: async () => state,
  });

it('delivers all that is due of an organization, and leaves nothing to be done', async () => {
  const source = await newSource();
  const other = await newSource({ orgId: source.orgId });
  await Promise.all([tell(source, 50), tell(other, 3)]);
  await newProcess().task({ orgId: source.orgId }, JOB);
  const deliveries = [...(await deliveriesOf(source)), ...(await deliveriesOf(other))];
  expect(deliveries.map(({ id }) => id).sort()).toEqual([...sent].sort());
  for (const delivery of deliveries) {
    expect(delivery).toMatchObject({ status: 'success', attempt: 1, httpStatus: 200, errorMessage: null });
    expect(delivery.deliveredAt).not.toBeNull();
  }
  expect((await find(source))?.lastDeliveryAt).not.toBeNull();
});

it('has two processes deliver each once', async () => {
  const source = await newSource();
  await tell(source, 60);
  await Promise.all([newProcess(), newProcess()].map((one) => one.task({ orgId: source.orgId }, JOB)));
  const all = await deliveriesOf(source);
  expect(all.filter(({ status, attempt }) => status === 'success' && attempt === 1)).toHaveLength(60);
  expect(sent).toHaveLength(60);
});

it('limits the slots of receivers that do not answer, and delays no other receiver of the organization', async () => {
  const [hung, { letGo, gone }] = [await newSource(), hanging()];
  const quick = await newSource({ orgId: hung.orgId, callbackUrl: 'https://quick.example' });
  await Promise.all([tell(hung, 30), tell(quick, 30)]);
  answer = ({ url }) => (url === 'https://quick.example' ? Promise.resolve(OK) : gone);
  const delivering = newProcess();
  await delivering.task({ orgId: hung.orgId }, JOB);
  expect((await deliveriesOf(quick)).every(({ status }) => status === 'success')).toBe(true);
  expect(sent).toHaveLength(30 + 2);
  // The attempts have leases. If the process is killed now, another process repeats the attempts after the leases expire.
  const leased = (await deliveriesOf(hung)).filter(({ inFlight }) => inFlight);
  expect(leased).toHaveLength(2);
  for (const { dueAt } of leased) expect(dueAt!.getTime()).toBeGreaterThan(Date.now() + 5_000);

  letGo();
  await delivering.background.stop(Date.now() + 5_000);
  expect((await deliveriesOf(hung)).some(({ status }) => status === 'success')).toBe(true);
});

it('skips triggers with a hung receiver except for one attempt, and delivers the others of the organization', async () => {
  const hung = await newSource();
  const quick = await newSource({ orgId: hung.orgId });
  let now = 0;
  const breaker = new CircuitBreaker(() => now);
  const delivering = newProcess(breaker);
  breaker.note({ orgId: hung.orgId, target: hung.id }, { tookMs: 15_000, hasFailed: true });
  await Promise.all([tell(hung, 5), tell(quick, 5)]);
  await delivering.task({ orgId: hung.orgId }, JOB);
  const statusesOf = async (of: Source) => new Set((await deliveriesOf(of)).map(({ status }) => status));
  expect([await statusesOf(hung), await statusesOf(quick)]).toEqual([new Set(['pending']), new Set(['success'])]);

  now = 15_000;
  const { letGo, gone } = hanging();
  answer = () => gone;
  await delivering.task({ orgId: hung.orgId }, JOB);
  expect(sent).toHaveLength(6);
  letGo();
  await delivering.background.stop(Date.now() + 5_000);
  await newProcess().task({ orgId: hung.orgId }, JOB);
  expect(await statusesOf(hung)).toEqual(new Set(['success']));
});

it.each([
  ['fails', { status: 500 }, 'retrying', 3_900],
  ['fails and asks for time', { status: 503, headers: { 'retry-after': '600' } }, 'retrying', 599_000],
  ['is gone', { status: 410 }, 'failed', undefined],
])(
  'records an attempt at a receiver that %s, and retries it when it is due',
  async (_what, answered, status, afterMs) => {
    const source = await newSource();
    await tell(source, 1);
    answer = async () => ({ headers: {}, ...answered }) as OutgoingResponse;
    const begunAt = Date.now();
    await newProcess().task({ orgId: source.orgId }, JOB);
    expect(await deliveriesOf(source)).toMatchObject([{ status, attempt: 1, tries: 1, httpStatus: answered.status }]);
    expect((await find(source))?.failingSince).not.toBeNull();
    const [delivery] = await deliveriesOf(source);
    if (afterMs !== undefined) expect(delivery!.dueAt!.getTime() - begunAt).toBeGreaterThan(afterMs);
  },
);

it('stops after the tenth attempt', async () => {
  const source = await newSource();
  await tell(source, 1);
  answer = async () => ({ status: 500, headers: {} }) as OutgoingResponse;
  const delivering = newProcess();
  for (let tries = 1; tries <= 11; tries++) {
    await pass(source);
    await delivering.task({ orgId: source.orgId }, JOB);
  }
  expect(await deliveriesOf(source)).toMatchObject([{ status: 'failed', attempt: 10, tries: 10 }]);
  expect(sent).toHaveLength(10);
});

it('uses no attempt while signing is unavailable, and claims few due callbacks', async () => {
  const source = await newSource();
  await tell(source, 10);
  open = async () => {
    throw new ApiError('UNAVAILABLE', 'The vault is away');
  };
  const delivering = newProcess();
  await delivering.task({ orgId: source.orgId }, JOB);
  await delivering.background.stop(Date.now() + 5_000);
  expect(await deliveriesOf(source)).toEqual(
    Array.from({ length: 10 }, () => expect.objectContaining({ status: 'pending', attempt: 0, tries: 0 })),
  );
  expect(sent).toEqual([]);
});

it('pauses due deliveries of a suspended workspace, and drops those of a deleted one', async () => {
  const [held, gone] = [await newSource(), await newSource()];
  await tell(held, 2);
  state = 'suspended';
  await newProcess().task({ orgId: held.orgId }, JOB);
  expect(await deliveriesOf(held)).toMatchObject(
    Array(2).fill({ status: 'pending', held: true, attempt: 0, tries: 0 }),
  );
  state = 'gone';
  await tell(gone, 1);
  await newProcess().task({ orgId: gone.orgId }, JOB);
  expect(await deliveriesOf(gone)).toMatchObject([{ status: 'failed' }]);
  expect(sent).toEqual([]);
});

it('drops a redelivered dead letter without an event, and delivers the rest', async () => {
  const source = await newSource();
  await tell(source, 3);
  const [gone, ...rest] = await deliveriesOf(source);
  await database.db.event.deleteMany({ where: { id: gone!.eventId, orgId: source.orgId } });
  await newProcess().task({ orgId: source.orgId }, JOB);
  const errorMessage = 'The event is no longer stored';
  expect(await deliveriesOf(source)).toMatchObject([
    { status: 'failed', errorMessage },
    { status: 'success' },
    { status: 'success' },
  ]);
  expect(sent.sort()).toEqual(rest.map(({ id }) => id));
});

it('drops deliveries to a disabled source', async () => {
  const source = await newSource();
  await tell(source, 2);
  const disabled = { status: 'disabling', suspendedAt: new Date() };
  await database.db.source.updateMany({ where: { id: source.id, orgId: source.orgId }, data: disabled });
  await newProcess().task({ orgId: source.orgId }, JOB);
  expect((await deliveriesOf(source)).map(({ status }) => status)).toEqual(['failed', 'failed']);
  expect(sent).toEqual([]);
});

it('pauses a trigger with an unreadable secret, and no other trigger', async () => {
  const locked = await newSource();
  const opened: string[] = [];
  const delivering = newDelivering({
    send: async ({ headers }) => (sent.push(headers!['x-svc-trigger']!), OK),
    async open({ id }) {
      opened.push(id);
      if (id === locked.id) throw new ApiError('TIMEOUT', 'The vault did not answer in time');
      return OPENED;
    },
  });
  await tell(locked, 100);
  await delivering.task({ orgId: locked.orgId }, JOB);
  const failed = opened.length;
  const others = await Promise.all(Array.from({ length: 5 }, () => newSource()));
  const delays: number[] = [];
  for (const [index, other] of others.entries()) {
    await sleep(100); // The search that follows a delivery has ended by then.
    await tell(other, 1);
    const begun = performance.now();
    await notifyCallbacks(database.pool);
    while (sent.length === index && performance.now() - begun < 20_000) await sleep(5);
    delays.push(performance.now() - begun);
  }
  expect(sent).toEqual(others.map(({ id }) => id));
  // The fastest one counts, because a busy machine delays some of them. Without the notification, each after the first would wait for the next search,
  // a second after the previous one.
  expect(Math.min(...delays.slice(1))).toBeLessThan(500);
  // The circuit breaker limits the number of failed attempts. Without it, each of the 100 deliveries would request the secrets.
  expect(failed).toBeLessThan(20);
});
