import { newId } from '@drawbridge/contracts';
import { database, log } from '../testing/sources.js';
import { room } from './room.js';

const MOST = { ofOrganization: { rows: 3, bytes: 1_000 }, ofSource: { rows: 2, bytes: 700 } };
const newRoom = () => room({ pool: database.pool, log, most: MOST });
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

it('counts what has not arrived and what nobody has looked into, of one organization', async () => {
  const [source, other] = [newIds(), newIds()];
  const beside = { ...source, id: newId() };
  await newDelivery(source, 300);
  await newInbound(beside, 600);
  await newDelivery(source, 900, 'success');
  const rooms = newRoom();
  expect(await rooms.take(source, 101)).toBe(false);
  expect(await rooms.take(source, 100)).toBe(true);
  expect(await rooms.take(source, 1)).toBe(false);
  expect(await rooms.take(other, 700)).toBe(true);
  expect(rooms.refusals()).toBe(2);
});

it('bounds how many there are, those that were given up among them', async () => {
  const source = newIds();
  await newDelivery({ ...source, id: newId() }, 1, 'failed');
  await newDelivery(source, 1, 'retrying');
  const rooms = newRoom();
  expect([await rooms.take(source, 0), await rooms.take(source, 0)]).toEqual([true, false]);
});

it('leaves room to the others of an organization where one source has what it may', async () => {
  const [source, large] = [newIds(), newIds()];
  await newDelivery(source, 1, 'failed');
  await newInbound(source, 1);
  await newDelivery(large, 500, 'failed');
  const rooms = newRoom();
  expect([await rooms.take(source, 0), await rooms.take({ ...source, id: newId() }, 0)]).toEqual([false, true]);
  expect([await rooms.take(large, 201), await rooms.take({ ...large, id: newId() }, 201)]).toEqual([false, true]);
});
