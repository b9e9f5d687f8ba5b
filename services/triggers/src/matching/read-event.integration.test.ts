import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inTransaction } from '@drawbridge/events';
import { addPieces } from '@drawbridge/pieces';
import { Envelope } from '@drawbridge/proto/drawbridge/events/v1/envelope';
import { storeForApp, storeForSource } from '../intake/inbound-requests.js';
import { database, eventsOf, log, newSource } from '../testing/sources.js';
import { deliveriesOf } from '../testing/delivering.js';
import { matchReceived } from './match-received.js';
import { unreadableRequest } from './read-event.js';

/** An external piece with event data that is not JSON, and an app trigger that cannot route a request. */
const PIECE = `export default ({ piece, trigger }) => {
  const of = { displayName: 'B', description: 'Breaks.', props: {}, sample: {}, verify: () => true };
  const circle = {};
  circle.circle = circle;
  const datas = [{ many: 1n }, circle, { toJSON: () => undefined }];
  const hook = trigger({ ...of, kind: 'webhook', enable: async () => ({ state: {} }), disable: async () => undefined,
    events: ({ body }) => [{ id: 'x', data: datas[Number(new TextDecoder().decode(body))] }] });
  const app = trigger({ ...of, kind: 'app-webhook', subscribe: async () => 'k', events: () => [],
    route: () => { throw new Error('no luck'); } });
  return piece({ name: 'breaking', displayName: 'Breaking', description: 'Breaks.', categories: ['CORE'], actions: {},
    triggers: { hook, app } });
}`;

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'drawbridge-pieces-'));
  writeFileSync(join(folder, 'breaking.mjs'), PIECE);
  await addPieces(folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

const request = (text: string) => ({ method: 'POST', url: '/', headers: {}, body: Buffer.from(text) });

it('stores unreadable requests as dead letters, each once, and delivers the events of all others', async () => {
  const of = { triggerType: 'WEBHOOK', triggerName: 'hook', integrationName: 'breaking' };
  const [breaking, quiet] = [
    await newSource(of),
    await newSource({ ...of, integrationName: 'http', triggerName: 'catch_hook' }),
  ];
  const store = storeForSource(database.pool);
  for (const text of ['0', '1', '2', '2']) await store(breaking, request(text));
  await storeForApp(database.pool, 'breaking', request('{}'));
  await store(quiet, { ...request('{}'), headers: { 'webhook-id': 'told' } });
  const handler = matchReceived({ log, backlog: { take: async () => true }, enqueue: async () => undefined });
  const { rows } = await database.pool.query<{ envelope: Buffer }>('DELETE FROM triggers.outbox RETURNING envelope');
  const events = rows.map(({ envelope }) => Envelope.decode(envelope));
  await inTransaction(database.pool, (tx) => handler(events as Parameters<typeof handler>[0], tx));
  expect(await eventsOf(quiet)).toEqual(['told']);
  const unread = await database.db.event.findMany({ where: { orgId: breaking.orgId, sourceId: breaking.id } });
  expect(unread.map(({ unreadable }) => unreadable)).toEqual([true, true, true]);
  expect(unread.map(({ payload }) => unreadableRequest(payload))).toEqual(['0', '1', '2'].map(request));
  const dead = { status: 'failed', attempt: 0, errorMessage: expect.stringMatching(/^The event cannot be read: ./) };
  expect(await deliveriesOf(breaking)).toMatchObject([dead, dead, dead]);
  expect((await database.pool.query('SELECT FROM triggers.inbound')).rowCount).toBe(0);
});
