import { newId } from '@drawbridge/contracts';
import { database, log } from '../testing/sources.js';
import { room } from './room.js';

const newRoom = () => room({ pool: database.pool, log, most: { rows: 3, bytes: 1_000 } });

async function newDelivery(orgId: string, bytes: number, status = 'pending'): Promise<void> {
  const of = { id: newId(), orgId, workspaceId: newId(), sourceId: newId(), eventId: newId() };
  await database.db.delivery.create({ data: { ...of, bytes, status } });
}

async function newInbound(orgId: string, bytes: number): Promise<void> {
  const sent = { method: 'POST', url: '/', headers: {}, body: Buffer.alloc(bytes) };
  await database.db.inbound.create({ data: { id: newId(), orgId, integrationName: 'http', ...sent } });
}

it('counts what has not arrived and what nobody has looked into, of one organization', async () => {
  const [orgId, other] = [newId(), newId()];
  await newDelivery(orgId, 300);
  await newInbound(orgId, 600);
  await newDelivery(orgId, 900, 'success');
  const rooms = newRoom();
  expect(await rooms.take(orgId, 101)).toBe(false);
  expect(await rooms.take(orgId, 100)).toBe(true);
  expect(await rooms.take(orgId, 1)).toBe(false);
  expect(await rooms.take(other, 1_000)).toBe(true);
  expect(rooms.refusals()).toBe(2);
});

it('bounds how many there are, those that were given up among them', async () => {
  const orgId = newId();
  await newDelivery(orgId, 1, 'failed');
  await newDelivery(orgId, 1, 'retrying');
  const rooms = newRoom();
  expect([await rooms.take(orgId, 0), await rooms.take(orgId, 0)]).toEqual([true, false]);
});
