// Shapes: none; in full: local
import { type Api } from './support/api.js';
import { rowsOf } from './support/database.js';
import { eventually } from './support/eventually.js';
import { expectError } from './support/expect.js';
import { inParallel } from './support/hostile/stage.js';
import { type Enabled, type NotifiedTriggers, notifiedTriggers, waitingInbound } from './support/notified-triggers.js';
import { asStripe } from './support/trigger-vendors.js';

/** The number of events. `BURST=5000` takes forty seconds on a busy machine. */
const BURST = Number(process.env['BURST'] ?? 1_000);
/** The number of connections that providers keep open to one gateway. */
const CONNECTIONS = 200;
const PAID = { events: ['invoice.paid'] };
const OF_STRIPE = { integrationName: 'stripe', triggerName: 'event', input: PAID };
const CAUGHT = { integrationName: 'http', triggerName: 'catch_hook', connectionExternalId: undefined };

let its: NotifiedTriggers;
let api: Api;

beforeAll(async () => {
  its = await notifiedTriggers({ PUBLIC_RATE_LIMIT: '120' }); // a product of this file, because the floods would disturb other files
  api = await its.newApi();
});
afterAll(() => its?.stop());

/** Sends an event with the headers of the connection's credential. */
async function send({ hook }: Enabled, id: number): Promise<number> {
  const headers = { authorization: `Bearer ${its.credential.text}`, 'webhook-id': `${id}` };
  return (await its.send(hook, '{}', headers)).status;
}

const eventsOf = async ({ id }: Enabled): Promise<number> => {
  const count = 'SELECT count(*)::int AS many FROM triggers.events WHERE source_id = $1';
  return (await rowsOf<{ many: number }>(its.product.databaseUrl, count, [id]))[0]!.many;
};

it('a burst of events is accepted, each once, and does not delay a neighbour', async () => {
  const source = await its.enabled(api, CAUGHT);
  its.receiver.on(`POST ${source.path}`, { until: new Promise(() => undefined) });
  let next = 0;
  const sending = inParallel(CONNECTIONS, async () => {
    const seen: number[] = [];
    while (next < BURST) seen.push(await send(source, next++));
    return seen;
  });
  const neighbour = await its.enabled(await its.newApi(), CAUGHT);
  expect(await send(neighbour, 1)).toBe(200);
  await its.callbacks(neighbour.path, 1);
  expect(new Set((await sending).flat())).toEqual(new Set([200]));
  await eventually(async () => expect(await waitingInbound(its.product.databaseUrl)).toBe(0), 60_000);
  expect(await eventsOf(source)).toBe(BURST);
});

describe('an event that cannot be parsed', () => {
  const deep = '['.repeat(100_000);
  const fields = 'a=&'.repeat(1_000_000);
  const controls = '\u0001'.repeat(5 * 1_048_576);

  it.each([
    ['nests too deep', deep, 'application/json'],
    ['grows to six times its size', controls, 'text/plain'],
    ['has too many fields', fields, 'application/x-www-form-urlencoded'],
  ])('is refused: it %s', async (_what, text, type) => {
    const source = await its.enabled(api, CAUGHT);
    const answer = await its.send(source.hook, text, { 'content-type': type });
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
  });

  it('does not delay other events', async () => {
    const text = (id: string): string => JSON.stringify({ id, object: 'event', type: 'invoice.paid' });
    const source = await its.enabled(api, OF_STRIPE);
    for (const id of ['evt_\0', 'evt_1']) {
      expect((await its.send(source.hook, text(id), asStripe(text(id)))).status).toBe(200);
    }
    const callbacks = await its.callbacks(source.path, 2);
    expect(callbacks.map(({ body }) => body.payload.id).sort()).toEqual(['evt_\0', 'evt_1']);
  });
});

it('events are refused while the backlog of their source, or of their organization, is full', async () => {
  const [full, other] = [await its.newApi(), await its.newApi()];
  const [source, beside, elsewhere] = [
    await its.enabled(full, OF_STRIPE),
    await its.enabled(full, OF_STRIPE),
    await its.enabled(other, OF_STRIPE),
  ];
  const fill = `INSERT INTO triggers.deliveries (id, org_id, workspace_id, source_id, event_id, status, bytes)
    SELECT gen_random_uuid(), org_id, workspace_id, id, gen_random_uuid(), 'failed', $2 FROM triggers.sources WHERE id = $1`;
  await rowsOf(its.product.databaseUrl, fill, [source.id, 256 * 1_048_576]);
  const large = JSON.stringify({ id: 'evt_9', object: 'event', type: 'invoice.paid', note: 'x'.repeat(1_000) });
  const refused = await its.send(source.hook, large, asStripe(large));
  expectError(refused, 429, 'RATE_LIMITED');
  expect(refused.headers.get('retry-after')).toBe('60');
  expect((await its.send(beside.hook, large, asStripe(large))).status).toBe(200);
  for (const dead of [768, 1_024]) await rowsOf(its.product.databaseUrl, fill, [source.id, dead * 1_048_576]);
  await eventually(async () => expectError(await its.send(beside.hook, large, asStripe(large)), 429, 'RATE_LIMITED'));
  expect((await its.send(elsewhere.hook, large, asStripe(large))).status).toBe(200);
});
