import { type Wishes } from '@drawbridge/jobs';
import { recordEvents, tellings } from '../events/record-events.js';
import { type Source } from '../gen/prisma/client.js';
import { newDelivering, OK, tell } from '../testing/delivering.js';
import { eventually } from '../testing/eventually.js';
import { database, newSource } from '../testing/sources.js';
import { claim, promote } from './claim-callbacks.js';

it('starts large deliveries one at a time, even if they are compressed to little on disk', async () => {
  const first = await newSource();
  const { orgId } = first;
  const sources: Source[] = [first, await newSource({ orgId }), await newSource({ orgId })];
  const events = [{ id: 'large', data: { text: 'x'.repeat(1_048_576) } }];
  for (const source of sources) await recordEvents(database.pool, async () => undefined, tellings(source, events));
  const wishes: Wishes = [sources.map(() => orgId), sources.map(({ id }) => id), sources.map(() => 2)];
  const claimed = [];
  for (let times = 0; times < 3; times++) claimed.push(await claim(database.pool, wishes));
  expect(claimed.map(({ jobs, isCut }) => [jobs.length, isCut])).toEqual([
    [1, true],
    [1, true],
    [1, false],
  ]);
});

describe('promoting due deliveries', () => {
  beforeEach(() => database.pool.query('UPDATE triggers.deliveries SET held = true'));

  it('returns their number, and whether any are ready', async () => {
    expect(await promote(database.pool, 10)).toEqual({ many: 0, hasReady: false });
    const source = await newSource();
    await tell(source, 2);
    await database.pool.query('UPDATE triggers.deliveries SET is_ready = false WHERE source_id = $1', [source.id]);
    expect(await promote(database.pool, 1)).toEqual({ many: 1, hasReady: true });
    expect(await promote(database.pool, 10)).toEqual({ many: 1, hasReady: true });
    expect(await promote(database.pool, 10)).toEqual({ many: 0, hasReady: true });
  });

  it('delivers a ready callback of which the notification was lost', async () => {
    const source = await newSource();
    const { background } = newDelivering({ send: async () => OK });
    await background.start();
    try {
      await eventually(async () => expect(await listeners()).toBeGreaterThan(0));
      await new Promise((resolve) => setTimeout(resolve, 300)); // The search of the new listener has usually ended by now.
      await tell(source, 1);
      const isDelivered = `SELECT FROM triggers.deliveries WHERE source_id = $1 AND status = 'success'`;
      await eventually(async () => expect((await database.pool.query(isDelivered, [source.id])).rowCount).toBe(1));
    } finally {
      await background.stop(Date.now() + 5_000);
    }
  });
});

/** Returns the number of workers that wait for notifications. */
async function listeners(): Promise<number> {
  const waiting = `SELECT FROM pg_stat_activity WHERE query = 'LISTEN "triggers_callbacks"' AND datname = current_database()`;
  return (await database.pool.query(waiting)).rowCount ?? 0;
}
