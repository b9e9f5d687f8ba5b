import { randomUUID } from 'node:crypto';
import { Envelope } from '@drawbridge/proto/drawbridge/events/v1/envelope';
import { consumeOnce } from './consume-once.js';
import { openTestDatabase, type TestDatabase } from './fixtures/database.js';
import { eventually } from './fixtures/eventually.js';
import { quietLog } from './fixtures/messages.js';
import { InProcessBus } from './in-process-bus.js';
import { newEvent } from './outbox.js';
import { outboxRelay } from './outbox-relay.js';
import { replayEvents } from './replay-events.js';

const TOPIC = 'drawbridge.members.v1';
const ORG = randomUUID();

let database: TestDatabase;

beforeAll(async () => void (database = await openTestDatabase()));
afterAll(() => database.close());
beforeEach(() => database.pool.query('TRUNCATE outbox, inbox'));

/** Inserts events that were published `secondsAgo`. Returns their ids. */
async function published(count: number, secondsAgo: number): Promise<string[]> {
  const time = Math.floor(Date.now() - secondsAgo * 1_000)
    .toString(16)
    .padStart(12, '0');
  const events = Array.from({ length: count }, () => {
    const { envelope } = newEvent({ $case: 'workspaceDeleted', value: { workspaceId: ORG } }, { orgId: ORG });
    const id = `${time.replace(/.{8}/, '$&-')}-7${randomUUID().slice(15)}`;
    return { id, envelope: Buffer.from(Envelope.encode({ ...Envelope.decode(envelope), id }).finish()) };
  });
  await database.pool.query(
    `INSERT INTO outbox (id, type, org_id, envelope, published_at)
     SELECT id, 'workspace.deleted', $1, envelope, now() - $2 * interval '1 s' FROM unnest($3::uuid[], $4::bytea[]) AS e (id, envelope)`,
    [ORG, secondsAgo, events.map(({ id }) => id), events.map(({ envelope }) => envelope)],
  );
  return events.map(({ id }) => id);
}

const replay = (secondsAgo: number) =>
  replayEvents(database.pool, { schema: database.schema, from: new Date(Date.now() - secondsAgo * 1_000) });

it('marks only the events published since then, in any number of batches', async () => {
  await published(3, 7_200);
  await published(2_005, 60);
  expect(await replay(3_600)).toMatchObject({ events: 2_005 });
  const { rows } = await database.pool.query('SELECT count(*)::int AS n FROM outbox WHERE published_at IS NULL');
  expect(rows).toEqual([{ n: 2_005 }]);
  expect(await replay(3_600)).toMatchObject({ events: 0 });
});

it('goes back at most 6 days, because an inbox deletes its rows after 7', async () => {
  await published(1, 6.5 * 86_400);
  await published(1, 5.5 * 86_400);
  const { from, events } = await replay(365 * 86_400);
  expect(events).toBe(1);
  expect(Date.now() - Date.parse(from)).toBeGreaterThan(5.9 * 86_400_000);
});

it('is published again by the relay, and applied only by the consumer that missed it', async () => {
  const ids = await published(2, 60);
  const applied: string[] = [];
  const workspaceDeleted = async (events: Envelope[]): Promise<void> =>
    void applied.push(...events.map(({ id }) => id));
  await database.pool.query('INSERT INTO inbox (event_id) VALUES ($1)', [ids[0]]);
  const bus = new InProcessBus({ log: quietLog() });
  bus.subscribe(TOPIC, 'catalog', consumeOnce(database, { workspaceDeleted }));
  await bus.start();
  const relay = outboxRelay({ pool: database.pool, schema: database.schema, topic: TOPIC, bus, log: quietLog() });
  await relay.start();
  await replay(3_600);
  await eventually(async () => applied.length > 0);
  expect(applied).toEqual([ids[1]]);
  await relay.stop(Date.now() + 10_000);
  await bus.stop();
});
