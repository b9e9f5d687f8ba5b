import { ApiError, newId } from '@drawbridge/contracts';
import { inTransaction, PutAside } from '@drawbridge/events';
import { wakeOfConnections } from '../sources/connection-events.js';
import { eventually } from '../testing/eventually.js';
import { ago, ahead, database, find, log, newSource } from '../testing/sources.js';
import { type DuePoll, fullOrigins, MOST } from './choose-polls.js';
import { findDuePolls, FIRST, leasePolls } from './due-polls.js';
import { pollSource } from './poll.js';
import { poller, pollMetrics } from './poller.js';

/** The ids of the sources for which the slow and the quick provider were called. */
let asked: { slow: string[]; quick: string[] };
let letGo: () => void;
let gone: Promise<void>;
let stop: (() => Promise<void>)[];

beforeEach(() => {
  [asked, stop] = [{ slow: [], quick: [] }, []];
  gone = new Promise((resolve) => (letGo = resolve));
});
afterEach(async () => {
  letGo();
  await Promise.all(stop.map((one) => one()));
});

/** Starts the poller of one process. GitHub is the slow provider, and Notion the quick one. */
function start(pool = database.pool): void {
  const poll = pollSource({
    ...{ db: database.db, pool, log },
    findMinimum: async () => null,
    states: { find: async () => 'live' },
    backlog: { take: async () => true },
    enqueue: async () => undefined,
    hooks: {
      async pollHook({ call, cursorJson = '{}' }) {
        const isSlow = call!.integrationName === 'github';
        asked[isSlow ? 'slow' : 'quick'].push(call!.placeId);
        if (isSlow) await gone;
        return { polledJson: JSON.stringify({ events: [], cursor: JSON.parse(cursorJson) }) };
      },
    },
  });
  const { start: begin, stop: end } = poller({ pool, log, poll });
  void begin();
  stop.push(() => end(Date.now() + 5_000));
}

const due = async (): Promise<DuePoll[]> => (await findDuePolls(database.pool, { skipped: [], after: FIRST })).polls;

const QUICK = { integrationName: 'notion', triggerName: 'new_item' };
const cursor = { at: 1 };

it('polls a quick provider while a hundred triggers of the same organization wait for a slow one, on two processes', async () => {
  const orgId = newId();
  const slow = await Promise.all(Array.from({ length: 100 }, () => newSource({ orgId, cursor, pollAt: ago(10) })));
  const quick = await newSource({ orgId, cursor, pollAt: ago(1), ...QUICK });
  const neighbour = await newSource({ cursor, pollAt: ago(1) });
  start();
  start();
  await eventually(() => {
    expect(asked.quick).toEqual([quick.workspaceId]);
    expect(asked.slow).toContain(neighbour.workspaceId);
    expect(asked.slow).toHaveLength(2 * MOST.ofOrigin + 1);
  });
  // A waiting source has no lease. It gets the next free slot, and its lag is visible in the metrics.
  expect(await due()).toHaveLength(100 - 2 * MOST.ofOrigin);
  letGo();
  await eventually(() => expect(new Set(asked.slow).size).toBe(slow.length + 1), 30_000);
  expect(asked.slow).toHaveLength(slow.length + 1);
  expect((await find(quick))?.lastPolledAt).not.toBeNull();
}, 60_000);

it('finds the polls of others behind a backlog that is longer than one look', async () => {
  const [first, orgId] = [await newSource({ cursor, pollAt: ago(10) }), newId()];
  const columns = `workspace_id, user_id, integration_name, trigger_name, trigger_type, input, callback_url, simulate, polling_minutes, status, suspended_at`;
  await database.pool.query(
    `INSERT INTO triggers.sources (id, org_id, poll_at, ${columns})
     SELECT gen_random_uuid(), org_id, poll_at, ${columns} FROM triggers.sources, generate_series(1, 1000) WHERE id = $1`,
    [first.id],
  );
  const late = await newSource({ orgId, cursor, pollAt: ago(1), ...QUICK });
  const found = await due();
  expect(found.map(({ id }) => id)).toContain(late.id);
  expect(found.length).toBeLessThan(100);
});

describe('a backlog that is longer than one look', () => {
  const columns = `workspace_id, user_id, trigger_name, trigger_type, input, callback_url, simulate, polling_minutes, status, suspended_at`;
  const copy = (first: { id: string }, many: number, changed: { org?: string; pollAt?: string }) =>
    database.pool.query(
      `INSERT INTO triggers.sources (id, org_id, poll_at, connection_id, integration_name, ${columns})
       SELECT gen_random_uuid(), ${changed.org ?? 'org_id'}, ${changed.pollAt ?? 'poll_at'}, connection_id, integration_name, ${columns}
       FROM triggers.sources, generate_series(1, ${many}) AS n WHERE id = $1`,
      [first.id],
    );

  it('hides no other account of an integration without an origin of its own', async () => {
    const slow = newId();
    const first = await newSource({ cursor, pollAt: ago(10), integrationName: 'acme', connectionId: slow });
    await copy(first, 1_000, {});
    const quick = await newSource({ ...QUICK, orgId: first.orgId, pollAt: ago(1), integrationName: 'acme' });
    const running = Array.from({ length: MOST.ofOrigin }, () => ({ orgId: first.orgId, origin: `acme ${slow}` }));
    const { polls } = await findDuePolls(database.pool, { skipped: [], after: FIRST, full: fullOrigins(running) });
    expect(polls.map(({ id }) => id)).toEqual([quick.id]);
  });

  it('is scanned in bounded steps, however many sources are not due', async () => {
    const first = await newSource({ cursor, pollAt: ago(10), orgId: '00000000-0000-7000-8000-000000000001' });
    await copy(first, 1_000, {});
    const notDue = {
      org: "('00000000-0000-7000-8000-' || lpad(to_hex(n + 1), 12, '0'))::uuid",
      pollAt: "now() + interval '1 h'",
    };
    await copy(first, 3_000, notDue);
    const late = await newSource({ ...QUICK, pollAt: ago(1), orgId: 'ffffffff-0000-7000-8000-000000000001' });
    const looks = [await findDuePolls(database.pool, { skipped: [], after: FIRST })];
    looks.push(await findDuePolls(database.pool, { skipped: [], after: looks[0]!.after }));
    expect(looks.map(({ polls }) => polls.some(({ id }) => id === late.id))).toEqual([false, true]);
    expect(looks[1]!.after).toEqual(FIRST);
  });
});

it.each<[string, Error, object]>([
  ['no failure, an outage of our own', new ApiError('UNAVAILABLE', 'away'), { failures: 1 }],
  ['a failure, a fault of our own', new Error('broken'), { failures: 2 }],
])('makes a poll again later, and takes for %s', async (_what, error, expected) => {
  const source = await newSource({ cursor, pollAt: ago(1), failures: 1 });
  const poll = async (): Promise<void> => {
    throw error;
  };
  const { start: begin, stop: end } = poller({ pool: database.pool, log, poll });
  stop.push(() => end(Date.now() + 5_000));
  void begin();
  await eventually(async () => expect((await find(source))?.pollAt?.getTime()).toBeGreaterThan(Date.now()));
  await eventually(async () => expect((await find(source))?.pollAt?.getTime()).toBeLessThan(Date.now() + 150_000));
  expect(await find(source)).toMatchObject({ cursor, ...expected });
});

it('polls at once, when a connection is reconnected, what failed with it, and nothing else', async () => {
  const [connectionId, pollAt] = [newId(), ahead(60)];
  const failing = await newSource({ connectionId, pollAt, failures: 3 });
  const { orgId } = failing;
  const others = [
    await newSource({ orgId, connectionId, pollAt }),
    await newSource({ orgId, connectionId, pollAt, failures: 1, held: true }),
    await newSource({ orgId, connectionId: newId(), pollAt, failures: 1 }),
  ];
  const event = { orgId, payload: { $case: 'connectionReconnected', value: { connectionId } } };
  await inTransaction(database.pool, (tx) => wakeOfConnections([event] as Parameters<typeof wakeOfConnections>[0], tx));
  expect(await find(failing)).toMatchObject({ failures: 0, renewAt: null });
  expect((await due()).map(({ id }) => id)).toEqual([failing.id]);
  for (const other of others) expect(await find(other)).toMatchObject({ pollAt, failures: other.failures });
});

it('leases the other polls where the lease of one fails', async () => {
  const [bad, good] = [await newSource({ cursor, pollAt: ago(2) }), await newSource({ cursor, pollAt: ago(1) })];
  await database.pool.query(`
    CREATE OR REPLACE FUNCTION public.poisoned() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'poisoned'; END $$;
    CREATE TRIGGER poison BEFORE UPDATE ON triggers.sources FOR EACH ROW WHEN (OLD.id = '${bad.id}')
      EXECUTE FUNCTION public.poisoned()`);
  try {
    const aside = new PutAside({ name: 'polls', log });
    expect((await leasePolls(database.pool, await due(), aside)).map(({ id }) => id)).toEqual([good.id]);
    const { polls } = await findDuePolls(database.pool, { skipped: aside.keys(), after: FIRST });
    expect(polls).toEqual([]);
  } finally {
    await database.pool.query('DROP TRIGGER poison ON triggers.sources');
  }
});

const read = async (): Promise<number[]> =>
  Promise.all(pollMetrics(database.pool).map(async (metric) => Math.round((await metric.read())[0]!.value)));

it('says how many polls wait, and for how long the first of them has', async () => {
  expect(await read()).toEqual([0, 0]);
  await newSource({ pollAt: ahead(1) });
  await newSource({ pollAt: ago(9), status: 'disabling' });
  await newSource({ pollAt: ago(1) });
  await newSource({ pollAt: ago(2) });
  const [many, seconds] = await read();
  expect(many).toBe(2);
  expect(seconds).toBeGreaterThanOrEqual(120);
  expect(seconds).toBeLessThan(180);
});
