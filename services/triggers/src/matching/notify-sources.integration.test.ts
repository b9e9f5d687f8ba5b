import { inTransaction } from '@drawbridge/events';
import { type Source } from '../gen/prisma/client.js';
import { leasePolls } from '../polling/due-polls.js';
import { ago, ahead, database, find, newSource } from '../testing/sources.js';
import { notifySources } from './notify-sources.js';

const notify = (...sources: Source[]): Promise<void> =>
  inTransaction(database.pool, (tx) => notifySources(tx, new Map(sources.map(({ id, orgId }) => [id, orgId]))));

const newNotified = (columns: object = {}): Promise<Source> =>
  newSource({ triggerType: 'WEBHOOK', pollingMinutes: null, pollAt: ahead(60), lastPolledAt: ago(5), ...columns });

/** Returns the milliseconds until the next poll. */
const dueIn = async (source: Source): Promise<number> => (await find(source))!.pollAt!.getTime() - Date.now();

it('makes a source due', async () => {
  const [one, other, beside] = [await newNotified(), await newNotified(), await newNotified()];
  await notify(one, other);
  for (const source of [one, other]) expect(await dueIn(source)).toBeLessThanOrEqual(0);
  expect(await find(beside)).toEqual(beside);
});

it('makes a source that was just polled due 2 s after that poll', async () => {
  const source = await newNotified({ lastPolledAt: new Date() });
  await notify(source);
  const inMs = await dueIn(source);
  expect(inMs).toBeGreaterThan(500);
  expect(inMs).toBeLessThanOrEqual(2_000);
});

it('leaves a source that is due already where it is in the queue', async () => {
  const source = await newNotified({ pollAt: ago(1) });
  await notify(source);
  expect(await find(source)).toMatchObject({ pollAt: source.pollAt });
});

it.each([
  ['waits after a failed poll', { failures: 1 }],
  ['waits in a suspended workspace', { held: true }],
])('only notes the notification of a source that %s', async (_, columns) => {
  const source = await newNotified(columns);
  await notify(source);
  expect(await find(source)).toMatchObject({ pollAt: source.pollAt, notifiedAt: expect.any(Date) });
});

it('notes the notification of a source that is being enabled, which has no poll yet', async () => {
  const source = await newNotified({ status: 'enabling', pollAt: null });
  await notify(source);
  expect(await find(source)).toMatchObject({ pollAt: null, notifiedAt: expect.any(Date) });
});

it('makes a source due that an earlier version of its piece did not poll', async () => {
  const source = await newNotified({ pollAt: null, lastPolledAt: null });
  await notify(source);
  expect(await dueIn(source)).toBeLessThanOrEqual(0);
});

it('leaves a source that is being disabled', async () => {
  const source = await newNotified({ status: 'disabling' });
  await notify(source);
  expect(await find(source)).toEqual(source);
});

it('leaves the lease of a poll, and makes the source due again if the process of that lease died', async () => {
  const source = await newNotified({ pollAt: ago(1), notifiedAt: ago(1) });
  const aside = { byHalves: async (_tx: unknown, all: unknown, { work }: any) => work(all) } as never;
  const [leased] = await leasePolls(database.pool, [{ ...source, origin: 'x', dueAt: source.pollAt! }], aside);
  expect(await find(source)).toMatchObject({ notifiedAt: null });
  await notify(source);
  const [noted] = [await find(source)];
  expect(noted).toMatchObject({ pollAt: new Date(leased!.at), notifiedAt: expect.any(Date) });
  // The lease has expired.
  const data = { pollAt: ago(1), leasedUntil: ago(1) };
  await database.db.source.updateMany({ where: { id: source.id, orgId: source.orgId }, data });
  await notify(source);
  expect(await dueIn(source)).toBeLessThanOrEqual(0);
});

it('does not deadlock where two transactions notify the same sources in another order', async () => {
  const sources = await Promise.all(Array.from({ length: 20 }, () => newNotified()));
  const rounds = Array.from({ length: 30 }, (_, round) => (round % 2 ? sources : [...sources].reverse()));
  await Promise.all(rounds.map((some) => notify(...some)));
  for (const source of sources) expect(await dueIn(source)).toBeLessThanOrEqual(0);
});
