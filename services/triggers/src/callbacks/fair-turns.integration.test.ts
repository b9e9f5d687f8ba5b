import { CircuitBreaker, type JobContext } from '@drawbridge/jobs';
import { type OutgoingResponse } from '@drawbridge/egress';
import { deliveriesOf, hanging, newDelivering, OK, tell } from '../testing/delivering.js';
import { database, newSource } from '../testing/sources.js';

const JOB = { attempt: 1 } as JobContext;
/** Number of slots of one organization if each trigger has two slots. */
const OF_ORGANIZATION = 8;
/** A payload that exceeds the size limit of one claim. */
const LARGE = { text: 'x'.repeat(262_144) };

/** The ids of the deliveries that were sent, in order. */
let sent: string[];
let answer: () => Promise<OutgoingResponse>;
beforeEach(() => {
  sent = [];
  answer = async () => OK;
});

const newProcess = (breaker?: CircuitBreaker) =>
  newDelivering({
    breaker,
    send: (request) => {
      sent.push(request.headers!['x-svc-delivery']!);
      return answer();
    },
  });

it('schedules the sources of an organization fairly at its limit', async () => {
  const first = await newSource();
  const sources = [first];
  while (sources.length <= OF_ORGANIZATION) sources.push(await newSource({ orgId: first.orgId }));
  for (const source of sources) await tell(source, 100);
  answer = () => new Promise((resolve) => setTimeout(resolve, 5, OK));
  const delivering = newProcess();
  while (sent.length < 3 * OF_ORGANIZATION) await delivering.task({ orgId: first.orgId }, JOB);
  const early = new Set(sent.slice(0, 3 * OF_ORGANIZATION));
  for (const source of sources) expect((await deliveriesOf(source)).some(({ id }) => early.has(id))).toBe(true);
});

it('has as many in flight of a trigger as the plan says, and keeps slots for triggers that have none', async () => {
  const [first, { letGo, gone }] = [await newSource(), hanging()];
  const { orgId } = first;
  const [second, third] = [await newSource({ orgId }), await newSource({ orgId })];
  const quick = await newSource({ orgId, callbackUrl: 'https://quick.example' });
  for (const source of [first, second, third, quick]) await tell(source, 30);
  const inFlight = new Map<string, number>();
  const delivering = newDelivering({
    most: 10,
    send: ({ url, headers }) => {
      const source = headers!['x-svc-trigger']!;
      inFlight.set(source, (inFlight.get(source) ?? 0) + 1);
      return url === 'https://quick.example' ? Promise.resolve(OK) : gone;
    },
  });
  for (let turn = 0; inFlight.get(quick.id) !== 30 && turn < 20; turn++) await delivering.task({ orgId }, JOB);
  const hung = [first, second, third].map(({ id }) => inFlight.get(id) ?? 0);
  expect(inFlight.get(quick.id)).toBe(30);
  expect(Math.max(...hung)).toBeLessThanOrEqual(10);
  expect(Math.min(...hung)).toBeGreaterThanOrEqual(1);
  expect(hung.reduce((sum, many) => sum + many)).toBeLessThanOrEqual(22);
  letGo();
  await delivering.background.stop(Date.now() + 5_000);
});

it('runs as many large deliveries as small ones', async () => {
  const [first, { letGo, gone }] = [await newSource(), hanging()];
  const second = await newSource({ orgId: first.orgId });
  for (const source of [first, second]) await tell(source, 2, LARGE);
  answer = () => gone;
  const delivering = newProcess();
  for (let turn = 0; turn < 2; turn++) await delivering.task({ orgId: first.orgId }, JOB);
  expect(sent).toHaveLength(4);
  letGo();
  await delivering.background.stop(Date.now() + 5_000);
});

it('schedules sources fairly if each has many large deliveries', async () => {
  const sources = [await newSource()];
  while (sources.length <= OF_ORGANIZATION) sources.push(await newSource({ orgId: sources[0]!.orgId }));
  for (const source of sources) await tell(source, 2, LARGE);
  const delivering = newProcess();
  while (sent.length < 2 * sources.length) await delivering.task({ orgId: sources[0]!.orgId }, JOB);
  const [ofLast] = await deliveriesOf(sources.at(-1)!);
  expect(sent.indexOf(ofLast!.id)).toBeLessThan(sources.length);
});

it('delivers a requested redelivery at once, despite a backlog and a hanging receiver', async () => {
  const source = await newSource();
  await tell(source, 5);
  const dead = (await deliveriesOf(source)).at(-1)!;
  const asked = { id: dead.id, orgId: source.orgId };
  await database.db.delivery.updateMany({ where: asked, data: { status: 'retrying', attempt: 10 } });
  const breaker = new CircuitBreaker();
  breaker.note({ orgId: source.orgId, target: source.id }, { tookMs: 15_000, hasFailed: true });
  const delivering = newProcess(breaker);
  await delivering.task(asked, JOB);
  expect(sent).toEqual([]);
  await Promise.all([delivering.redelivery(asked, JOB), delivering.redelivery(asked, JOB)]);
  expect(sent).toEqual([dead.id]);
  expect((await deliveriesOf(source)).at(-1)).toMatchObject({ status: 'success', attempt: 11, tries: 1 });

  await delivering.task(asked, JOB);
  expect(sent).toHaveLength(5);
});
