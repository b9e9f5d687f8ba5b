import { setTimeout as sleep } from 'node:timers/promises';
import { inTransaction } from '@drawbridge/events';
import { Envelope } from '@drawbridge/proto/drawbridge/events/v1/envelope';
import { type Source } from '../gen/prisma/client.js';
import { storeForSource, takeInbound } from '../intake/inbound-requests.js';
import { database, eventsOf, log, newSource } from '../testing/sources.js';
import { matchReceived } from './match-received.js';

const LARGE = 3 * 1_048_576;

beforeEach(async () => {
  await database.pool.query('DELETE FROM triggers.inbound');
  await database.pool.query('DELETE FROM triggers.outbox');
});

const newCaught = (columns: object = {}): Promise<Source> =>
  newSource({ integrationName: 'http', triggerName: 'catch_hook', triggerType: 'WEBHOOK', ...columns });

const send = (source: Source, id: string, bytes = 2): Promise<boolean> =>
  storeForSource(database.pool)(source, {
    ...{ method: 'POST', url: '/', headers: { 'content-type': 'application/json', 'webhook-id': id } },
    body: Buffer.from(JSON.stringify('x'.repeat(bytes - 2))),
  });

/** Passes stored requests to the event handler, like the event bus. Returns the ids of the enqueued deliveries, in order. */
async function match(): Promise<string[]> {
  const enqueued: string[] = [];
  const handler = matchReceived({
    log,
    backlog: { take: async () => true },
    enqueue: async (_tx, all) => void enqueued.push(...all.map(({ id }) => id)),
  });
  const { rows } = await database.pool.query<{ envelope: Buffer }>('SELECT envelope FROM triggers.outbox ORDER BY id');
  const events = rows.map(({ envelope }) => Envelope.decode(envelope));
  await inTransaction(database.pool, (tx) => handler(events as Parameters<typeof handler>[0], tx));
  return enqueued;
}

const waiting = async (): Promise<number> =>
  (await database.pool.query<{ many: number }>('SELECT count(*)::int AS many FROM triggers.inbound')).rows[0]!.many;

it('delivers to sources of several organizations their events, each once, in order', async () => {
  const [one, other] = [await newCaught(), await newCaught()];
  for (const id of ['1', '2', '1', '3']) await send(one, id);
  for (const id of ['1', '4']) await send(other, id);
  const enqueued = await match();
  expect([await eventsOf(one), await eventsOf(other)]).toEqual([
    ['1', '2', '3'],
    ['1', '4'],
  ]);
  const deliveriesOf = ({ orgId }: Source) => database.db.delivery.findMany({ where: { orgId } });
  const deliveries = [...(await deliveriesOf(one)), ...(await deliveriesOf(other))];
  expect(deliveries.map(({ id }) => id).sort()).toEqual([...enqueued].sort());
  expect([enqueued.length, await waiting()]).toEqual([5, 0]);
  expect(await match()).toEqual([]);
});

it('processes large requests in parts, and more of them than fit into one batch', async () => {
  const source = await newCaught();
  for (let large = 0; large < 3; large++) await send(source, `large ${large}`, LARGE);
  await Promise.all(Array.from({ length: 150 }, (_, small) => send(source, `small ${small}`)));
  const enqueued: string[] = [];
  // A batch that has used its time budget returns the remaining requests to the queue, so the handler runs until none remain.
  for (let more = await match(); more.length > 0; more = await match()) enqueued.push(...more);
  expect(enqueued).toHaveLength(153);
  expect((await eventsOf(source)).slice(0, 3)).toEqual(['large 0', 'large 1', 'large 2']);
});

it('takes the small request of one organization before the large requests of another one, which arrived earlier', async () => {
  const [large, small] = [await newCaught(), await newCaught()];
  const besides = await newCaught({ orgId: large.orgId });
  for (let n = 0; n < 3; n++) await send(large, `large ${n}`, 2 * LARGE);
  await send(besides, 'of the same organization');
  await send(small, 'of another organization');
  const { rows } = await database.pool.query<{ id: string; orgId: string }>(
    'SELECT id, org_id AS "orgId" FROM triggers.inbound',
  );
  const wanted = { orgIds: rows.map(({ orgId }) => orgId), ids: rows.map(({ id }) => id) };
  const taken = await inTransaction(database.pool, (tx) => takeInbound(tx, wanted));
  expect(taken.map(({ sourceId }) => sourceId).sort()).toEqual([large.id, besides.id, small.id].sort());
});

it('keeps the events that were accepted before their source was disabled', async () => {
  const [source, other] = [await newCaught(), await newCaught()];
  await Promise.all([send(source, '1'), send(other, '1')]);
  const data = { status: 'disabling', suspendedAt: new Date() };
  await database.db.source.updateMany({ where: { id: source.id, orgId: source.orgId }, data });
  expect(await send(source, '2')).toBe(false);
  expect(await match()).toHaveLength(2);
  expect([await eventsOf(source), await eventsOf(other), await waiting()]).toEqual([['1'], ['1'], 0]);
});

it('delivers to other sources during the deletion of a workspace, and nothing to that workspace', async () => {
  const [source, other] = [await newCaught(), await newCaught()];
  await Promise.all([send(source, '1'), send(other, '1')]);
  await inTransaction(database.pool, async (tx) => {
    await tx.query('SELECT triggers.bury_workspace($1::uuid)', [source.workspaceId]);
    const matching = match();
    expect(await Promise.race([matching.then(() => 'matched'), sleep(2_000, 'waits')])).toBe('matched');
    expect([await eventsOf(source), await eventsOf(other)]).toEqual([[], ['1']]);
  });
});
