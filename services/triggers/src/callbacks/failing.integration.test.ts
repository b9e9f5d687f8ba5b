import { type JobContext } from '@drawbridge/jobs';
import { type OutgoingResponse } from '@drawbridge/egress';
import { deliveriesOf, newDelivering, OK, pass, tell } from '../testing/delivering.js';
import { database, find, newSource } from '../testing/sources.js';

const JOB = { attempt: 1 } as JobContext;

/** The ids of the deliveries that were sent, in order. */
let sent: string[];
let answer: () => Promise<OutgoingResponse>;

beforeEach(() => {
  sent = [];
  answer = async () => OK;
});

const newProcess = () =>
  newDelivering({
    send: (request) => {
      sent.push(request.headers!['x-svc-delivery']!);
      return answer();
    },
  });

const daysAgo = (days: number): Date => new Date(Date.now() - days * 86_400_000);

it.each<[string, string, { failedAttempts: number; failingSince: Date }]>([
  ['enabled', 'two failures in six days', { failedAttempts: 1, failingSince: daysAgo(6) }],
  ['enabled', 'fifty failures in four days', { failedAttempts: 49, failingSince: daysAgo(4) }],
  ['disabling', 'fifty failures in six days', { failedAttempts: 49, failingSince: daysAgo(6) }],
])('has a source %s after %s', async (status, _what, columns) => {
  const source = await newSource(columns);
  await tell(source, 1);
  answer = async () => ({ status: 410, headers: {} }) as OutgoingResponse;
  await newProcess().task({ orgId: source.orgId }, JOB);
  expect(await find(source)).toMatchObject({ status, failedAttempts: columns.failedAttempts + 1 });
});

it('counts failures from the last success on', async () => {
  const source = await newSource({ failedAttempts: 49, failingSince: daysAgo(6) });
  await tell(source, 1);
  await newProcess().task({ orgId: source.orgId }, JOB);
  expect(await find(source)).toMatchObject({ failedAttempts: 0, failingSince: null });
  await tell(source, 3);
  answer = async () => ({ status: 500, headers: {} }) as OutgoingResponse;
  await newProcess().task({ orgId: source.orgId }, JOB);
  expect(await find(source)).toMatchObject({ status: 'enabled', failedAttempts: 3 });
});

it('stores an event of a trigger without a callback, which the previous version recorded as due, and counts no failure', async () => {
  const source = await newSource({ callbackUrl: null });
  await tell(source, 1);
  const [kept] = await deliveriesOf(source);
  expect(kept).toMatchObject({ status: 'kept', isReady: false });
  await database.db.delivery.updateMany({
    where: { id: kept!.id, orgId: source.orgId },
    data: { status: 'pending', isReady: true },
  });
  await newProcess().task({ orgId: source.orgId }, JOB);
  expect(await deliveriesOf(source)).toMatchObject([{ status: 'kept', errorMessage: null }]);
  expect(await find(source)).toMatchObject({ status: 'enabled', failingSince: null, failedAttempts: 0 });
  expect(sent).toEqual([]);
});

it('does not count an attempt that was cut short', async () => {
  const source = await newSource();
  await tell(source, 1);
  await database.db.delivery.updateMany({
    where: { orgId: source.orgId, sourceId: source.id },
    data: { status: 'retrying', attempt: 10, tries: 10, inFlight: true },
  });
  await pass(source);
  await newProcess().task({ orgId: source.orgId }, JOB);
  expect(await deliveriesOf(source)).toMatchObject([{ status: 'success', attempt: 11, tries: 10, inFlight: false }]);
});

it('delivers a redelivered event to a disabled source', async () => {
  const source = await newSource({ status: 'disabling', suspendedAt: daysAgo(1) });
  const enabled = await newSource();
  await tell(enabled, 2);
  const [early, late] = await deliveriesOf(enabled);
  const move = (id: string, askedAt: Date) =>
    database.db.delivery.updateMany({
      where: { id, orgId: enabled.orgId },
      data: { orgId: source.orgId, sourceId: source.id, askedAt },
    });
  await move(early!.id, daysAgo(2));
  await move(late!.id, daysAgo(0));
  await newProcess().task({ orgId: source.orgId }, JOB);
  expect((await deliveriesOf(source)).map(({ status }) => status)).toEqual(['failed', 'success']);
  expect(sent).toEqual([late!.id]);
});
