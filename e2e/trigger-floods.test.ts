// Shapes: local
import { type Api } from './support/api.js';
import { rowsOf } from './support/database.js';
import { eventually } from './support/eventually.js';
import { inParallel } from './support/hostile/stage.js';
import { type Enabled, type ToldTriggers, toldTriggers, waitingInbound } from './support/told-triggers.js';
import { asStripe } from './support/trigger-vendors.js';

/** In the suite a thousand: five thousand (`BURST=5000`) take forty seconds of a machine that does other things as well. */
const BURST = Number(process.env['BURST'] ?? 1_000);
/** As many connections as third parties hold to one gateway. */
const CONNECTIONS = 200;
const PAID = { events: ['invoice.paid'] };
const CAUGHT = { integrationName: 'http', triggerName: 'catch_hook', connectionExternalId: undefined };

let its: ToldTriggers;
let api: Api;

beforeAll(async () => {
  its = await toldTriggers();
  api = await its.newApi();
});
afterAll(() => its?.stop());

/** As who knows the headers that the connection has. */
async function send({ hook }: Enabled, id: number): Promise<number> {
  const headers = { authorization: `Bearer ${its.credential.text}`, 'webhook-id': `${id}` };
  return (await its.send(hook, '{}', headers)).status;
}

const eventsOf = async ({ id }: Enabled): Promise<number> => {
  const count = 'SELECT count(*)::int AS many FROM triggers.events WHERE source_id = $1';
  return (await rowsOf<{ many: number }>(its.product.databaseUrl, count, [id]))[0]!.many;
};

it('takes a burst of events, each once, and has room for others meanwhile', async () => {
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
  await its.told(neighbour.path, 1);
  expect(new Set((await sending).flat())).toEqual(new Set([200]));
  await eventually(async () => expect(await waitingInbound(its.product.databaseUrl)).toBe(0), 60_000);
  expect(await eventsOf(source)).toBe(BURST);
});

describe('what its source may send, and can not be read', () => {
  const deep = '['.repeat(100_000);
  const fields = 'a=&'.repeat(1_000_000);

  it.each([
    ['nests too deep', deep, 'application/json'],
    ['has too many fields', fields, 'application/x-www-form-urlencoded'],
  ])('is refused: what %s', async (_what, text, type) => {
    const source = await its.enabled(api, CAUGHT);
    const answer = await its.send(source.hook, text, { 'content-type': type });
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
  });

  it('holds up nothing of others, nor of its own', async () => {
    const text = (id: string): string => JSON.stringify({ id, object: 'event', type: 'invoice.paid' });
    const source = await its.enabled(api, { integrationName: 'stripe', triggerName: 'event', input: PAID });
    for (const id of ['evt_\0', 'evt_1']) {
      expect((await its.send(source.hook, text(id), asStripe(text(id)))).status).toBe(200);
    }
    const callbacks = await its.told(source.path, 2);
    expect(callbacks.map(({ body }) => body.payload.id).sort()).toEqual(['evt_\0', 'evt_1']);
  });
});
