import { ApiError } from '@drawbridge/contracts';
import { inTransaction } from '@drawbridge/events';
import { notifySources } from '../matching/notify-sources.js';
import { ago, ahead, database, dueOf, eventsOf, find, log, newSource } from '../testing/sources.js';
import { type WorkspaceState } from '../suspension/workspace-states.js';
import { watchedPool } from '../testing/watched-pool.js';
import { pollSource } from './poll.js';

const POLLED_AT = ago(1);
const cursor = { at: 1 };
let enqueued: string[];
let things: string[];
let asked: number;
let states: (string | undefined)[];
let isMore: boolean;
let state: WorkspaceState;
/** Number of rows that the backlog limit allows. */
let roomFor: number;

beforeEach(() => ([enqueued, things, asked, state, roomFor] = [[], [], 0, 'live', 100_000]));
beforeEach(() => ([states, isMore] = [[], false]));

/** Polls a provider that returns the items of `things` after the cursor. `meanwhile` runs while the provider is called. */
const poll = (
  meanwhile: () => Promise<unknown> = async () => undefined,
  minimum: number | null = null,
  pool = database.pool,
) =>
  pollSource({
    ...{ db: database.db, pool },
    log,
    findMinimum: async () => minimum,
    states: { find: async () => state },
    backlog: { take: async (_source, { rows }) => rows < roomFor },
    enqueue: async (_tx, deliveries) => void enqueued.push(...deliveries.map(({ id }) => id)),
    hooks: {
      async pollHook({ cursorJson = '{}', stateJson }) {
        asked++;
        states.push(stateJson);
        const { at } = JSON.parse(cursorJson) as { at: number };
        const events = things.slice(at - 1).map((id) => ({ id, data: { id } }));
        await meanwhile();
        return { polledJson: JSON.stringify({ events, cursor: { at: at + events.length }, isMore }) };
      },
    },
  });

const newPolled = (columns: object = {}) => newSource({ pollAt: POLLED_AT, cursor, ...columns });

it('records new events and the cursor in one transaction', async () => {
  const source = await newPolled({ failures: 2 });
  things = ['a', 'b'];
  await poll()(dueOf(source, POLLED_AT));
  expect(await eventsOf(source)).toEqual(['a', 'b']);
  const after = await find(source);
  expect(after).toMatchObject({ cursor: { at: 3 }, failures: 0 });
  expect(after?.pollAt?.getTime()).toBeGreaterThan(ahead(4).getTime());
  const deliveries = await database.db.delivery.findMany({ where: { orgId: source.orgId, sourceId: source.id } });
  expect(deliveries.map(({ id }) => id).sort()).toEqual([...enqueued].sort());

  things.push('c');
  await poll()(dueOf(source, after!.pollAt));
  expect(await eventsOf(source)).toEqual(['a', 'b', 'c']);
});

it('is polled by one of two pollers, and delivers each event once', async () => {
  const source = await newPolled();
  things = ['a', 'b'];
  const due = dueOf(source, POLLED_AT);
  let waiting: () => void = () => undefined;
  const both = new Promise<void>((resolve) => (waiting = resolve));
  const meet = async () => (asked === 2 ? waiting() : both);
  await Promise.all([poll(meet)(due), poll(meet)(due)]);
  expect([asked, await eventsOf(source), enqueued]).toEqual([2, ['a', 'b'], [expect.anything(), expect.anything()]]);
  expect(await find(source)).toMatchObject({ cursor: { at: 3 } });
});

it('drops the result of a poller that lost its lease', async () => {
  const source = await newPolled();
  things = ['a'];
  const retake = () =>
    database.pool.query('UPDATE triggers.sources SET poll_at = $2 WHERE id = $1', [source.id, ahead(5)]);
  await poll(retake)(dueOf(source, POLLED_AT));
  expect([await eventsOf(source), await find(source)]).toEqual([[], expect.objectContaining({ cursor })]);
});

it('delivers no items that appeared while the source was disabled', async () => {
  const source = await newPolled();
  things = ['a'];
  const disable = () =>
    database.db.source.updateMany({
      where: { id: source.id, orgId: source.orgId },
      data: { status: 'disabling', suspendedAt: new Date() },
    });
  await poll(disable)(dueOf(source, POLLED_AT));
  expect(await eventsOf(source)).toEqual([]);
});

it('sends no request for a source that is no longer due', async () => {
  const source = await newPolled();
  await poll()(dueOf(source, ago(2)));
  await poll()(dueOf(await newPolled({ status: 'disabling' }), POLLED_AT));
  expect(asked).toBe(0);
});

it.each<[string, () => never]>([
  [
    'a third party that fails',
    () => fail(new ApiError('ACTION_FAILED', 'no', { details: { provider: { retryAfter: 3_600 } } })),
  ],
  ['code of a piece that fails', () => fail(new ApiError('INTERNAL', 'x'))],
])('keeps its cursor and backs off: %s', async (_, meanwhile) => {
  const source = await newPolled({ failures: 1 });
  await poll(async () => meanwhile())(dueOf(source, POLLED_AT));
  const after = await find(source);
  expect(after).toMatchObject({ cursor, failures: 2 });
  expect(after?.pollAt?.getTime()).toBeGreaterThan(ahead(15).getTime());
});

it('backs off without a request if the operator removed the piece', async () => {
  const source = await newPolled({ triggerName: 'gone' });
  await poll()(dueOf(source, POLLED_AT));
  expect([asked, await find(source)]).toMatchObject([0, { cursor, failures: 1 }]);
});

it('rejects while something of ours is away', async () => {
  const source = await newPolled();
  const away = async () => fail(new ApiError('UNAVAILABLE', 'away'));
  await expect(poll(away)(dueOf(source, POLLED_AT))).rejects.toThrow('away');
  expect(await find(source)).toMatchObject({ cursor, failures: 0, pollAt: POLLED_AT });
});

it('polls no more often than the plan allows now', async () => {
  const source = await newPolled();
  await poll(undefined, 60)(dueOf(source, POLLED_AT));
  expect((await find(source))?.pollAt?.getTime()).toBeGreaterThan(ahead(59).getTime());
});

it.each<[WorkspaceState, object]>([
  ['suspended', { held: true, failures: 1 }],
  ['gone', { held: false, failures: 1, pollAt: POLLED_AT }],
])('sends no request for a workspace that is %s, and counts no failure', async (now, expected) => {
  state = now;
  const source = await newPolled({ failures: 1 });
  await poll()(dueOf(source, POLLED_AT));
  expect([asked, await find(source)]).toMatchObject([0, { cursor, ...expected }]);
});

it('sends no request while its organization is at the backlog limit, and keeps its interval', async () => {
  roomFor = 0;
  const source = await newPolled({ failures: 1 });
  await poll()(dueOf(source, POLLED_AT));
  const after = await find(source);
  expect([asked, after]).toMatchObject([0, { cursor, failures: 1 }]);
  expect(after?.pollAt?.getTime()).toBeGreaterThan(ahead(4).getTime());
  expect(after?.pollAt?.getTime()).toBeLessThan(ahead(6).getTime());
});

it('delivers no events of a poll above the backlog limit, and polls again from the same cursor', async () => {
  [roomFor, things] = [2, ['a', 'b']];
  const source = await newPolled({ failures: 1 });
  await poll()(dueOf(source, POLLED_AT));
  const after = await find(source);
  expect([asked, await eventsOf(source), after]).toMatchObject([1, [], { cursor, failures: 1 }]);
  expect(after?.pollAt?.getTime()).toBeGreaterThan(ahead(4).getTime());
});

it('writes the events of a poll in batches', async () => {
  const source = await newPolled();
  things = Array.from({ length: 1_201 }, (_, at) => `${at}`);
  const sizes: number[] = [];
  const pool = watchedPool(database.pool, ({ name, values }) => {
    // In an array parameter, the number of elements is the fourth word.
    if (name === 'record-events') sizes.push((values![0] as Buffer).readInt32BE(12));
  });
  await poll(undefined, null, pool)(dueOf(source, POLLED_AT));
  expect([(await eventsOf(source)).length, enqueued.length]).toEqual([1_201, 1_201]);
  expect(sizes).toEqual([500, 500, 201]);
});

describe('a source that a notification polls', () => {
  const newNotified = (columns: object = {}) =>
    newPolled({ triggerType: 'WEBHOOK', pollingMinutes: null, state: { id: 7 }, ...columns });

  it('polls the provider at most once in 2 s while its polls exceed the backlog limit', async () => {
    [roomFor, things] = [2, ['a', 'b']];
    const source = await newNotified({ lastPolledAt: ago(5) });
    await poll()(dueOf(source, POLLED_AT));
    await inTransaction(database.pool, (tx) => notifySources(tx, new Map([[source.id, source.orgId]])));
    expect([asked, await eventsOf(source)]).toEqual([1, []]);
    expect((await find(source))!.pollAt!.getTime()).toBeGreaterThan(Date.now() + 500);
  });

  it('gets the state of its subscription, and is polled again after an hour in any case', async () => {
    const source = await newNotified();
    things = ['a'];
    await poll()(dueOf(source, POLLED_AT));
    expect([states, await eventsOf(source)]).toEqual([['{"id":7}'], ['a']]);
    expect((await find(source))!.pollAt!.getTime()).toBeGreaterThan(ahead(59).getTime());
    expect((await find(source))!.pollAt!.getTime()).toBeLessThan(ahead(61).getTime());
  });

  it.each<[string, object, () => Promise<unknown>, number]>([
    ['soon if a notification came during the poll', { notifiedAt: ago(0) }, async () => undefined, 0.05],
    ['later if that poll failed', { notifiedAt: ago(0) }, async () => fail(new ApiError('ACTION_FAILED', 'no')), 61],
  ])('is polled again %s', async (_, columns, meanwhile, minutes) => {
    const source = await newNotified(columns);
    await poll(meanwhile)(dueOf(source, POLLED_AT));
    const at = (await find(source))!.pollAt!.getTime();
    if (minutes < 1) expect(at).toBeLessThan(ahead(minutes).getTime());
    else expect(at).toBeGreaterThan(ahead(minutes).getTime());
  });

  it('waits a minute, not an hour, for the backlog of its organization', async () => {
    roomFor = 0;
    const source = await newNotified();
    await poll()(dueOf(source, POLLED_AT));
    expect((await find(source))!.pollAt!.getTime()).toBeLessThan(ahead(2).getTime());
  });
});

it('polls again in 2 s where a poll left more to read', async () => {
  isMore = true;
  const source = await newPolled();
  await poll()(dueOf(source, POLLED_AT));
  const inMs = (await find(source))!.pollAt!.getTime() - Date.now();
  expect(inMs).toBeGreaterThan(500);
  expect(inMs).toBeLessThanOrEqual(2_000);
});

function fail(error: Error): never {
  throw error;
}
