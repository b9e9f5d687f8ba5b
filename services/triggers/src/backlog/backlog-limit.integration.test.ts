import { newId } from '@drawbridge/contracts';
import { type Pool, type QueryConfig } from 'pg';
import { database, log } from '../testing/sources.js';
import { backlogLimit } from '../backlog/backlog-limit.js';

const MOST = {
  ofOrganization: { rows: 3, bytes: 1_000 },
  ofSource: { rows: 2, bytes: 700 },
  few: { rows: 1, bytes: 100 },
};
const newRoom = () => backlogLimit({ pool: database.pool, log, most: MOST });
const one = (bytes: number) => ({ rows: 1, bytes });
const newIds = () => ({ id: newId(), orgId: newId() });
type Of = ReturnType<typeof newIds>;

async function newDelivery({ id: sourceId, orgId }: Of, bytes: number, status = 'pending'): Promise<void> {
  const of = { id: newId(), orgId, workspaceId: newId(), sourceId, eventId: newId() };
  await database.db.delivery.create({ data: { ...of, bytes, status } });
}

async function newInbound({ id: sourceId, orgId }: Of, bytes: number): Promise<void> {
  const sent = { method: 'POST', url: '/', headers: {}, body: Buffer.alloc(bytes) };
  await database.db.inbound.create({ data: { id: newId(), orgId, sourceId, integrationName: 'http', ...sent } });
}

it('counts undelivered events and unmatched requests of one organization', async () => {
  const [source, other] = [newIds(), newIds()];
  const beside = { ...source, id: newId() };
  await newDelivery(source, 300);
  await newInbound(beside, 600);
  await newDelivery(source, 900, 'success');
  const rooms = newRoom();
  expect(await rooms.take(source, one(101))).toBe(false);
  expect(await rooms.take(source, one(100))).toBe(true);
  expect(await rooms.take(source, one(1))).toBe(false);
  expect(await rooms.take(other, one(700))).toBe(true);
  expect(rooms.refusals()).toBe(2);
});

it('limits the events of a source, dead letters included', async () => {
  const source = newIds();
  await newDelivery(source, 1, 'failed');
  const rooms = newRoom();
  expect([await rooms.take(source, one(0)), await rooms.take(source, one(0))]).toEqual([true, false]);
});

it('leaves quota to the other sources of an organization when one source is at its limit', async () => {
  const [source, large] = [newIds(), newIds()];
  await newDelivery(source, 1, 'failed');
  await newInbound(source, 1);
  await newDelivery(large, 500, 'failed');
  const rooms = newRoom();
  expect([await rooms.take(source, one(0)), await rooms.take({ ...source, id: newId() }, one(0))]).toEqual([
    false,
    true,
  ]);
  expect([await rooms.take(large, one(201)), await rooms.take({ ...large, id: newId() }, one(201))]).toEqual([
    false,
    true,
  ]);
});

it('has sources go on that have few dead letters where others have filled the room for those', async () => {
  const [source, full] = [newIds(), { ofOrganization: { rows: 2, bytes: 1_000 } }];
  const dying = { ...source, id: newId() };
  const quick = { ...source, id: newId() };
  const takes = async (): Promise<boolean[]> => {
    const rooms = backlogLimit({ pool: database.pool, log, most: { ...MOST, ...full } });
    return [await rooms.take(dying, one(1)), await rooms.take(quick, one(1))];
  };
  await newDelivery(dying, 1, 'failed');
  expect(await takes()).toEqual([true, true]);
  await newDelivery({ ...source, id: newId() }, 1, 'failed');
  expect(await takes()).toEqual([false, true]);
  for (let n = 0; n < 2; n++) await newDelivery({ ...source, id: newId() }, 1, 'failed');
  expect(await takes()).toEqual([false, false]);
});

it('leaves quota to triggers with a callback when events without one are at their limit', async () => {
  const [source, rooms] = [newIds(), newRoom()];
  const [first, second] = [source, { ...source, id: newId() }];
  for (const one of [first, second, second]) await newDelivery(one, 200, 'kept');
  expect(await rooms.take(first, one(1))).toBe(false);
  const called = { ...source, id: newId() };
  expect([await rooms.take(called, one(600)), await rooms.take(called, one(1))]).toEqual([true, true]);
});

it('counts the events of a trigger without a callback as kept', async () => {
  const [source, rooms] = [newIds(), newRoom()];
  await newDelivery(source, 100, 'kept');
  expect(await rooms.take(source, one(500))).toBe(true);
  expect(await rooms.take({ ...source, id: newId() }, one(700))).toBe(true);
});

it('counts events that arrive together, and accepts them if some of them fit', async () => {
  const [source, rooms] = [newIds(), newRoom()];
  expect(await rooms.take(source, { rows: 5, bytes: 700 })).toBe(true);
  expect(await rooms.take(source, { rows: 0, bytes: 0 })).toBe(false);
  expect(await rooms.take({ ...source, id: newId() }, one(0))).toBe(false);
});

it('blocks no request while it counts again', async () => {
  const source = newIds();
  let looks = 0;
  const never = new Promise<never>(() => undefined);
  const query = (statement: QueryConfig) => (++looks > 1 ? never : database.pool.query(statement));
  const rooms = backlogLimit({ pool: { query } as unknown as Pool, log, most: MOST, measureMs: 1 });
  expect(await rooms.take(source, one(1))).toBe(true);
  while (looks < 2) await rooms.take({ ...source, id: newId() }, { rows: 0, bytes: 0 });
  expect([await rooms.take(source, one(1)), await rooms.take(source, one(1))]).toEqual([true, false]);
});
