import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NIL_ID } from '@drawbridge/contracts';
import { inTransaction } from '@drawbridge/events';
import { addPieces } from '@drawbridge/pieces';
import { Envelope } from '@drawbridge/proto/drawbridge/events/v1/envelope';
import { type Source } from '../gen/prisma/client.js';
import { addresses } from '../intake/addresses.js';
import { storeForApp } from '../intake/inbound-requests.js';
import { ago, ahead, database, eventsOf, find, log, newSource } from '../testing/sources.js';
import { matchReceived } from './match-received.js';

/** An app with requests about several accounts: \`[{account, id}]\`. */
const BATCHES = `
  name: 'batches', displayName: 'Batches', description: 'Sends batches.', categories: ['CORE'], actions: {},
  triggers: { sent: trigger({ ...declared, ...inbound, events }), pinged: trigger({ ...declared, ...inbound, poll: async () => ({ events: [], cursor: 1 }) }) },`;

/** An app of which each trigger reads only its part of a request: \`[{kind, account, id}]\`. */
const KINDS = `
  name: 'kinds', displayName: 'Kinds', description: 'Sends batches.', categories: ['CORE'], actions: {},
  triggers: { file: trigger({ ...declared, ...inbound, events, route: routeOf('file') }), note: trigger({ ...declared, ...inbound, events, route: routeOf('note') }) },`;

const toModule = (definition: string): string => `export default ({ piece, readBody, trigger }) => {
  const declared = { kind: 'app-webhook', displayName: 'Sent', description: 'Something is sent.', props: {}, sample: { id: 1 } };
  const inbound = { subscribe: async () => 'a', verify: () => true, route: (request) => readBody(request).map(({ account }) => account) };
  const requireReadable = ({ id }) => {
    if (id === 'broken') throw new Error('cannot be read');
  };
  const routeOf = (kind) => (request) => {
    const sent = readBody(request).filter((one) => one.kind === kind);
    sent.forEach(requireReadable);
    return sent.map(({ account }) => account);
  };
  const events = (request, input, routeKey) =>
    readBody(request).filter(({ account }) => account === routeKey).map((data) => {
      requireReadable(data);
      return { id: data.id, data };
    });
  return piece({${definition}
  });
}`;

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'batches-'));
  writeFileSync(join(folder, 'batches.mjs'), toModule(BATCHES));
  writeFileSync(join(folder, 'kinds.mjs'), toModule(KINDS));
  await addPieces(folder);
});
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(async () => {
  for (const table of ['inbound', 'outbox']) await database.pool.query(`DELETE FROM triggers.${table}`);
});

const newSubscribed = (routeKey: string, columns: object = {}): Promise<Source> =>
  newSource({
    ...{ integrationName: 'batches', triggerName: 'sent', triggerType: 'APP_WEBHOOK', routeKey },
    ...columns,
  });

const request = (sent: object) => ({
  ...{ method: 'POST', url: '/', headers: { 'content-type': 'application/json' } },
  body: Buffer.from(JSON.stringify(sent)),
});

/** Stores a request to the app and passes it to the event handler, like the event bus. */
async function receive(sent: object, { app = 'batches', hasRoom = true } = {}): Promise<void> {
  await storeForApp(database.pool, app, request(sent));
  const handler = matchReceived({ log, backlog: { take: async () => hasRoom }, enqueue: async () => undefined });
  const { rows } = await database.pool.query<{ envelope: Buffer }>('DELETE FROM triggers.outbox RETURNING envelope');
  const events = rows.map(({ envelope }) => Envelope.decode(envelope));
  await inTransaction(database.pool, (tx) => handler(events as Parameters<typeof handler>[0], tx));
}

it('delivers to each account its own events of a batch', async () => {
  const [a, b, c] = [await newSubscribed('a'), await newSubscribed('b'), await newSubscribed('c')];
  const [first, second] = [
    { account: 'a', id: '1' },
    { account: 'b', id: '2' },
  ];
  await receive([first, second, { account: 'a', id: '3' }]);
  expect([await eventsOf(a), await eventsOf(b), await eventsOf(c)]).toEqual([['1', '3'], ['2'], []]);
  const payloads = await database.db.event.findMany({ where: { orgId: b.orgId } });
  expect(JSON.stringify(payloads)).not.toContain('"a"');
});

it('shows the unreadable request of several accounts to none of them', async () => {
  const [a, b] = [await newSubscribed('a'), await newSubscribed('b')];
  await receive([
    { account: 'a', id: 'broken' },
    { account: 'b', id: '2' },
  ]);
  expect([await eventsOf(a), await eventsOf(b)]).toEqual([[], ['2']]);
});

it('shows no request if a trigger cannot read its accounts', async () => {
  const a = await newSubscribed('a', { integrationName: 'kinds', triggerName: 'note' });
  const sent = [
    { kind: 'file', account: 'a', id: '1' },
    { kind: 'note', account: 'b', id: 'broken' },
  ];
  await receive(sent, { app: 'kinds' });
  expect(await eventsOf(a)).toEqual([]);
});

it('keeps the unreadable request of one account as a dead letter', async () => {
  const a = await newSubscribed('a');
  await receive([{ account: 'a', id: 'broken' }]);
  expect(await eventsOf(a)).toEqual([expect.stringMatching(/^unreadable:/)]);
});

it('starts the poll of a notified trigger of an account', async () => {
  const later = new Date(Date.now() + 3_600_000);
  const columns = { triggerName: 'pinged', pollAt: later, lastPolledAt: ago(5), pollingMinutes: null };
  const [a, b] = [await newSubscribed('a', columns), await newSubscribed('b', columns)];
  await receive([{ account: 'a', id: '1' }]);
  expect((await find(a))!.pollAt!.getTime()).toBeLessThanOrEqual(Date.now());
  expect(await find(b)).toMatchObject({ pollAt: later });
});

it('starts the poll of a source at its backlog limit: the poll checks the limit, and its cursor keeps what is over it', async () => {
  const columns = { triggerName: 'pinged', pollAt: ahead(60), lastPolledAt: ago(5), pollingMinutes: null };
  const [a, sent] = [await newSubscribed('a', columns), await newSubscribed('a')];
  await receive([{ account: 'a', id: '1' }], { hasRoom: false });
  expect((await find(a))!.pollAt!.getTime()).toBeLessThanOrEqual(Date.now());
  expect(await eventsOf(sent)).toEqual([]);
});

it('leaves a source alone that waits for its poll since an earlier notification', async () => {
  const later = new Date(Date.now() + 3_600_000);
  const since = ago(60);
  const columns = { triggerName: 'pinged', pollAt: later, lastPolledAt: ago(5), pollingMinutes: null };
  const waits = await newSubscribed('a', { ...columns, notifiedAt: since });
  const next = await newSubscribed('a', columns);
  const events = await newSubscribed('a', { notifiedAt: since });
  await receive([{ account: 'a', id: '1' }]);
  expect(await find(waits)).toMatchObject({ notifiedAt: since, pollAt: later });
  expect((await find(next))!.pollAt!.getTime()).toBeLessThanOrEqual(Date.now());
  expect(await eventsOf(events)).toEqual(['1']);
});

it('refuses a request about more than 1,000 accounts', async () => {
  const parts = { pool: database.pool, gatewayUrl: 'https://gateway.example', secrets: {}, vault: {} };
  const apps = { getAppWebhookSecret: async () => ({ secret: 's' }) };
  const address = await addresses({ ...parts, apps } as never)('batches', undefined);
  const about = (many: number) => request(Array.from({ length: many }, (_, at) => ({ account: `${at}`, id: '1' })));
  expect(await address!.store(about(1_000), [])).toBe(true);
  await expect(address!.store(about(1_001), [])).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  const { rows } = await database.pool.query('SELECT org_id FROM triggers.inbound');
  expect(rows).toEqual([{ org_id: NIL_ID }]);
});
