// Shapes: local
import { type RecordedRequest } from '@drawbridge/testkit';
import { type Api } from './support/api.js';
import { rowsOf } from './support/database.js';
import { eventually } from './support/eventually.js';
import { expectError, UNKNOWN_ID, TIMESTAMP } from './support/expect.js';
import { mailServer, type MailServer } from './support/mail-server.js';
import { type Operations, testsOf } from './support/operation-cases.js';
import { type OwnedResources } from './support/owned-resources.js';
import { type Enabled, type NotifiedTriggers, notifiedTriggers } from './support/notified-triggers.js';
import { asStripe } from './support/trigger-vendors.js';
import { hurry, LATER } from './support/webhook-receiver.js';

const { afterAll, beforeAll, describe, it } = testsOf(import.meta);

const PAID = { integrationName: 'stripe', triggerName: 'event', input: { events: ['invoice.paid'] } };

/** Returns a delivery that keeps failing. */
async function newDelivery({ api, triggerSourceId }: OwnedResources) {
  return eventually(async () => {
    const [delivery] = (await api.get(`/api/v1/triggers/${triggerSourceId}/deliveries`)).body.deliveries;
    return { id: triggerSourceId, deliveryId: delivery.id };
  });
}

export const OPERATIONS: Operations = {
  ListTriggerDeliveries: {
    call: ({ triggerSourceId }) => ({ path: { id: triggerSourceId } }),
    ids: { 'path.id': 'triggerSourceId' },
  },
  GetTriggerDelivery: {
    call: async (own) => ({ path: await newDelivery(own) }),
    ids: { 'path.id': 'triggerSourceId', 'path.deliveryId': null },
  },
  RedeliverTrigger: {
    call: async (own) => ({ path: await newDelivery(own) }),
    ids: { 'path.id': 'triggerSourceId', 'path.deliveryId': null },
  },
};

let its: NotifiedTriggers;
let mail: MailServer;
let api: Api;
let sent = 0;

beforeAll(async () => {
  mail = await mailServer();
  const env = { SMTP_URL: `smtp://${mail.host}`, MAIL_FROM: 'no-reply@acme.example', BASE_URL: 'https://gw.example' };
  its = await notifiedTriggers(env);
  api = await its.newApi();
});
afterAll(async () => {
  await its?.stop();
  await mail?.stop();
});

async function happen({ hook }: Enabled): Promise<void> {
  const text = JSON.stringify({ id: `evt_${++sent}`, object: 'event', type: 'invoice.paid' });
  expect((await its.send(hook, text, asStripe(text))).status).toBe(200);
}

async function failing(answer: object, by = api): Promise<Enabled> {
  const source = await its.enabled(by, PAID);
  its.receiver.on(`POST ${source.path}`, answer);
  await happen(source);
  return source;
}

const hurryCallbacks = (): Promise<void> => hurry(its.product.databaseUrl, 'triggers');

describe('a trigger callback', () => {
  it.each([
    ['fails', { status: 500, headers: LATER }, 500],
    ['redirects (the redirect is not followed)', { status: 307, headers: { ...LATER, location: '/elsewhere' } }, 307],
    ['disconnects', { reset: true }, null],
  ])('that %s is retried with the same id and body', async (_what, answer, httpStatus) => {
    const source = await failing(answer);
    await its.delivered(api, source.id, { status: 'retrying', attempt: 1, httpStatus, deliveredAt: null });
    its.receiver.on(`POST ${source.path}`, {});
    await hurryCallbacks();
    await its.delivered(api, source.id, { status: 'success', attempt: 2, httpStatus: 200, errorMessage: null });
    const [first, second] = (await its.callbacks(source.path, 2)) as [RecordedRequest, RecordedRequest];
    expect(second.text).toBe(first.text);
    expect(second.headers['webhook-id']).toBe(first.headers['webhook-id']);
    expect([first, second].map(({ headers }) => headers['x-svc-attempt'])).toEqual(['1', '2']);
    expect(its.receiver.at('/elsewhere')).toEqual([]);
  });

  it('with Retry-After is retried after that time, at most a day', async () => {
    const [source, patient] = [
      await failing({ status: 503, headers: { 'retry-after': '3600' } }),
      await failing({ status: 429, headers: { 'retry-after': '9'.repeat(30) } }),
    ];
    await its.delivered(api, source.id, { status: 'retrying', attempt: 1, httpStatus: 503 });
    await its.delivered(api, patient.id, { status: 'retrying', attempt: 1, httpStatus: 429 });
    const inHours = `SELECT round(extract(epoch FROM due_at - updated_at) / 3600)::int AS hours FROM triggers.deliveries WHERE source_id = $1`;
    const hoursOf = ({ id }: Enabled) => rowsOf(its.product.databaseUrl, inHours, [id]);
    expect([await hoursOf(source), await hoursOf(patient)]).toEqual([[{ hours: 1 }], [{ hours: 24 }]]);
  });

  it('that answers 410 is not retried, but can be redelivered', async () => {
    const source = await failing({ status: 410 });
    const [dead] = await its.delivered(api, source.id, { status: 'failed', attempt: 1, httpStatus: 410 });
    its.receiver.on(`POST ${source.path}`, {});
    const redeliver = (of: string, which = dead.id, by = api) =>
      by.post(`/api/v1/triggers/${of}/deliveries/${which}/redeliver`, {});
    expectError(await redeliver(source.id, UNKNOWN_ID), 404, 'NOT_FOUND');
    expectError(await redeliver(UNKNOWN_ID), 404, 'NOT_FOUND');
    expectError(await redeliver(source.id, dead.id, await its.newApi()), 404, 'NOT_FOUND');
    const again = await redeliver(source.id);
    expect(again).toMatchObject({ status: 200, body: { delivery: { id: dead.id, status: 'retrying' } } });
    await its.delivered(api, source.id, { id: dead.id, status: 'success', attempt: 2 });
    expectError(await redeliver(source.id), 409, 'DUPLICATE');
  });

  it('that hangs delays no other callback of its organization or of a neighbour', async () => {
    const [beside, elsewhere] = [await its.enabled(api, PAID), await its.enabled(await its.newApi(), PAID)];
    let release = (): void => undefined;
    const hung = await failing({ until: new Promise<void>((resolve) => (release = resolve)) });
    for (let more = 0; more < 14; more++) await happen(hung);
    await Promise.all([happen(beside), happen(elsewhere)]);
    await Promise.all([its.callbacks(beside.path, 1), its.callbacks(elsewhere.path, 1)]);
    await its.callbacks(hung.path, 10);
    release();
    await its.callbacks(hung.path, 15);
  });
});

it('a trigger shows its last delivery', async () => {
  const source = await its.enabled(api, PAID);
  const shown = async (): Promise<string | null> =>
    (await api.get(`/api/v1/triggers?workspaceId=${source.workspaceId}`)).body.triggers[0].lastDelivery;
  expect(await shown()).toBeNull();
  await happen(source);
  await eventually(async () => expect(await shown()).toMatch(TIMESTAMP));
});

it('deliveries are listed newest first, in pages', async () => {
  const source = await its.enabled(api, PAID);
  for (let many = 0; many < 3; many++) await happen(source);
  await its.callbacks(source.path, 3);
  const at = `/api/v1/triggers/${source.id}/deliveries`;
  const first = (await api.get(`${at}?limit=2`)).body;
  const second = (await api.get(`${at}?limit=2&cursor=${first.nextCursor}`)).body;
  const ids = [...first.deliveries, ...second.deliveries].map(({ id }) => id);
  expect(ids).toEqual([...ids].sort().reverse());
  expect([ids.length, second.nextCursor]).toEqual([3, null]);
});

it('a trigger with callbacks that fail for five days is disabled, with an audit entry and a mail to its creator', async () => {
  const source = await failing({ status: 500 });
  await its.delivered(api, source.id, { status: 'retrying', attempt: 1 });
  const aged = `UPDATE triggers.sources SET failing_since = now() - interval '121 hours', failed_attempts = 49
    WHERE id = $1 RETURNING failing_since`;
  expect(await rowsOf(its.product.databaseUrl, aged, [source.id])).toHaveLength(1);
  await hurryCallbacks();
  await eventually(async () => {
    expect((await api.get(`/api/v1/triggers?workspaceId=${source.workspaceId}`)).body.triggers).toEqual([]);
  });
  await its.delivered(api, source.id, { httpStatus: 500 });
  await eventually(async () => {
    const { entries } = (await api.get(`/api/v1/audit-log?resourceId=${source.id}&action=trigger.disable`)).body;
    expect(entries).toMatchObject([{ actor: { type: 'system' }, reason: 'its callbacks failed for 5 days' }]);
  });
  await eventually(async () => {
    await hurryCallbacks();
    expect(mail.received.map(({ text }) => text)).toEqual([expect.stringContaining('Stripe: Event')]);
  });
});
