// Shapes: local
import { verifyWebhook } from '@drawbridge/sdk';
import { type RecordedRequest } from '@drawbridge/testkit';
import { Webhook } from 'standardwebhooks';
import { type Api } from './support/api.js';
import { rowsOf } from './support/database.js';
import { eventually } from './support/eventually.js';
import { expectError, expectInvalid, UNKNOWN_ID } from './support/expect.js';
import { type Enabled, type NotifiedTriggers, notifiedTriggers, waitingInbound } from './support/notified-triggers.js';
import * as vendor from './support/trigger-vendors.js';
import { hurry, LATER } from './support/webhook-receiver.js';

const PUSH = { integrationName: 'github', triggerName: 'push', input: { repo: 'acme/app' } };
const PAID = { integrationName: 'stripe', triggerName: 'event', input: { events: ['invoice.paid'] } };
const PUSHED = JSON.stringify({ ref: 'refs/heads/main', note: 'hä' });
const paid = (id: string): string => JSON.stringify({ id, object: 'event', type: 'invoice.paid' });

let its: NotifiedTriggers;
let api: Api;

beforeAll(async () => {
  its = await notifiedTriggers();
  api = await its.newApi();
});
afterAll(() => its?.stop());

/** Enables a trigger and sends one event. Its receiver responds with `answer`. */
async function failing(answer: object): Promise<Enabled> {
  const source = await its.enabled(api, PAID);
  its.receiver.on(`POST ${source.path}`, answer);
  const text = paid(`evt_${source.id}`);
  expect((await its.send(source.hook, text, vendor.asStripe(text))).status).toBe(200);
  return source;
}

describe('a trigger delivery', () => {
  it('is not sent once its trigger is disabled, and can be redelivered during its retention', async () => {
    const source = await failing({ status: 500, headers: LATER });
    await its.delivered(api, source.id, { status: 'retrying', attempt: 1 });
    expect((await api.post('/api/v1/triggers/disable', { triggerSourceId: source.id })).status).toBe(200);
    await hurry(its.product.databaseUrl, 'triggers');
    const [dead] = await its.delivered(api, source.id, { status: 'failed' });
    expect(its.receiver.at(source.path)).toHaveLength(1);
    await eventually(async () => {
      const ended = 'SELECT id FROM triggers.sources WHERE id = $1 AND ended_at IS NOT NULL';
      expect(await rowsOf(its.product.databaseUrl, ended, [source.id])).toHaveLength(1);
    });
    expect((await api.get(`/api/v1/triggers?workspaceId=${source.workspaceId}`)).body.triggers).toEqual([]);

    its.receiver.on(`POST ${source.path}`, {});
    const redelivered = await api.post(`/api/v1/triggers/${source.id}/deliveries/${dead.id}/redeliver`, {});
    expect(redelivered).toMatchObject({ status: 200 });
    await its.delivered(api, source.id, { status: 'success', httpStatus: 200 });
    const [, { text, headers } = {} as RecordedRequest] = await its.callbacks(source.path, 2);
    expect(() => new Webhook(source.signingSecret).verify(text, headers)).not.toThrow();
    const event = await verifyWebhook({ headers, body: text }, { secret: source.signingSecret });
    expect(event).toMatchObject({ type: 'trigger.event', triggerSourceId: source.id });
  });

  it('that waits for a retry can be redelivered now', async () => {
    const source = await failing({ status: 503, headers: LATER });
    const [waiting] = await its.delivered(api, source.id, { status: 'retrying', attempt: 1 });
    its.receiver.on(`POST ${source.path}`, {});
    const redelivered = await api.post(`/api/v1/triggers/${source.id}/deliveries/${waiting.id}/redeliver`, {});
    expect(redelivered).toMatchObject({ status: 200, body: { delivery: { id: waiting.id, status: 'retrying' } } });
    await its.delivered(api, source.id, { id: waiting.id, status: 'success', attempt: 2 });
  });

  it('that is redelivered after a crash counts the interrupted attempt, but not as a failure', async () => {
    const source = await failing({ status: 503, headers: LATER });
    const [waiting] = await its.delivered(api, source.id, { status: 'retrying', attempt: 1 });
    const cutShort = `UPDATE triggers.deliveries SET in_flight = true, attempt = 2, tries = 2, due_at = now() - interval '1 s'
      WHERE id = $1`;
    await rowsOf(its.product.databaseUrl, cutShort, [waiting.id]);
    its.receiver.on(`POST ${source.path}`, {});
    await api.post(`/api/v1/triggers/${source.id}/deliveries/${waiting.id}/redeliver`, {});
    await its.delivered(api, source.id, { id: waiting.id, status: 'success', attempt: 3 });
    const tries = await rowsOf(its.product.databaseUrl, 'SELECT tries FROM triggers.deliveries WHERE id = $1', [
      waiting.id,
    ]);
    expect(tries).toEqual([{ tries: 2 }]);
  });
});

describe('a trigger without a callback', () => {
  const KEPT = { ...PAID, callbackUrl: null };

  it('keeps its events, without a request to a callback', async () => {
    const source = await its.enabled(api, { ...KEPT, callbackMetadata: { tenant: 'acme' } });
    const text = paid(`evt_${source.id}`);
    const sent = () => its.send(source.hook, text, vendor.asStripe(text));
    expect([(await sent()).status, (await sent()).status]).toEqual([200, 200]);
    const [{ id, eventId }] = await its.delivered(api, source.id, { status: 'pending', attempt: 0, deliveredAt: null });
    const { triggers } = (await api.get(`/api/v1/triggers?workspaceId=${source.workspaceId}`)).body;
    expect(triggers).toMatchObject([{ id: source.id, callbackUrl: null }]);

    const at = `/api/v1/triggers/${source.id}/deliveries/${id}`;
    const { delivery, body } = (await api.get(at)).body;
    expect(delivery).toMatchObject({ id, eventId, status: 'pending' });
    const event = {
      id: eventId,
      type: 'trigger.event',
      triggerSourceId: source.id,
      callbackMetadata: { tenant: 'acme' },
    };
    expect(JSON.parse(body)).toMatchObject({ ...event, payload: JSON.parse(text) });

    await hurry(its.product.databaseUrl, 'triggers');
    expect(await api.post(`${at}/redeliver`, {})).toMatchObject({
      status: 200,
      body: { delivery: { status: 'pending' } },
    });
    await its.delivered(api, source.id, { status: 'pending', attempt: 0 });
    expect((await api.get(at)).body.body).toBe(body);
  });

  it('keeps the sample event of a simulated one', async () => {
    const source = await its.enabled(api, { ...KEPT, simulate: true });
    const [{ id }] = await its.delivered(api, source.id, { status: 'pending', attempt: 0 });
    const { body } = (await api.get(`/api/v1/triggers/${source.id}/deliveries/${id}`)).body;
    expect(JSON.parse(body)).toMatchObject({ simulate: true, triggerSourceId: source.id });
  });

  it('keeps an unreadable event as a dead letter, which a redelivery cannot send', async () => {
    const source = await its.enabled(api, { ...PUSH, callbackUrl: null });
    const by = vendor.githubSecretOf(its.vendors, source.hook);
    const text = PUSHED.slice(0, -1);
    await its.send(source.hook, text, await vendor.asGithub(text, by, 'guid-poll'));
    const [{ id }] = await its.delivered(api, source.id, { status: 'failed' });
    const at = `/api/v1/triggers/${source.id}/deliveries/${id}`;
    expect((await api.get(at)).body).toMatchObject({ delivery: { status: 'failed' }, body: null });
    expectInvalid(await api.post(`${at}/redeliver`, {}), 'deliveryId');
    // The provider sends the event again as valid JSON. It is stored and not sent, because the trigger has no callback URL.
    await its.send(source.hook, PUSHED, await vendor.asGithub(PUSHED, by, 'guid-poll-2'));
    await its.delivered(api, source.id, { status: 'pending', attempt: 0 }, { status: 'failed' });
  });
});

it('a delivery that is being sent is not sent a second time by a redelivery', async () => {
  let release = (): void => undefined;
  const source = await failing({ until: new Promise<void>((resolve) => (release = resolve)) });
  await its.callbacks(source.path, 1);
  const [{ id }] = await its.delivered(api, source.id, { status: 'pending', attempt: 1 });
  const redelivered = await api.post(`/api/v1/triggers/${source.id}/deliveries/${id}/redeliver`, {});
  expect(redelivered).toMatchObject({ status: 200, body: { delivery: { id, status: 'pending', attempt: 1 } } });
  release();
  await its.delivered(api, source.id, { id, status: 'success', attempt: 1 });
  expect(its.receiver.at(source.path)).toHaveLength(1);
});

it('a delivery contains the body of its callback until it is delivered', async () => {
  const source = await failing({ status: 503, headers: LATER });
  const [{ id }] = await its.delivered(api, source.id, { status: 'retrying', attempt: 1 });
  const at = `/api/v1/triggers/${source.id}/deliveries/${id}`;
  const [{ text }] = (await its.callbacks(source.path, 1)) as [RecordedRequest];
  expect((await api.get(at)).body).toMatchObject({ delivery: { id, status: 'retrying' }, body: text });
  its.receiver.on(`POST ${source.path}`, {});
  await api.post(`${at}/redeliver`, {});
  await its.delivered(api, source.id, { id, status: 'success' });
  expect((await api.get(at)).body).toMatchObject({ delivery: { id, status: 'success' }, body: null });
  const other = await its.enabled(api, { ...PAID, simulate: true });
  for (const path of [`${source.id}/deliveries/${UNKNOWN_ID}`, `${other.id}/deliveries/${id}`]) {
    expectError(await api.get(`/api/v1/triggers/${path}`), 404, 'NOT_FOUND');
  }
});

it('an http callback address requires EGRESS_ALLOW, and the error says so', async () => {
  const callbackUrl = `${its.receiver.url}/laptop`;
  await its.enabled(api, { ...PAID, simulate: true, callbackUrl });
  await its.callbacks('/laptop', 1);
  const { workspaceId } = await its.enabled(api, PAID);
  const elsewhere = { ...PAID, workspaceId, simulate: true, callbackUrl: 'http://localhost.example:4000/events' };
  const advice =
    'must use https (got http://localhost.example:4000). For local development list the address in EGRESS_ALLOW.';
  expect(await api.post('/api/v1/triggers/enable', elsewhere)).toMatchObject({
    status: 400,
    body: { details: { fields: { callbackUrl: { message: advice } } } },
  });
});

describe('a signed but unreadable event', () => {
  it.each([
    ['form data', `payload=${encodeURIComponent(PUSHED)}`, { 'content-type': 'application/x-www-form-urlencoded' }],
    ['truncated JSON', PUSHED.slice(0, -1), {}],
  ])('is stored as a dead letter with the reason: %s', async (what, text, headers) => {
    const source = await its.enabled(api, PUSH);
    const by = vendor.githubSecretOf(its.vendors, source.hook);
    const signed = { ...(await vendor.asGithub(text, by, `guid-${what}`)), ...headers };
    expect((await its.send(source.hook, text, signed)).status).toBe(200);
    const dead = { status: 'failed', attempt: 0, errorMessage: expect.stringContaining('is not JSON') };
    const [{ id }] = await its.delivered(api, source.id, dead);
    const redeliver = await api.post(`/api/v1/triggers/${source.id}/deliveries/${id}/redeliver`, {});
    expectInvalid(redeliver, 'deliveryId');
    expect(its.receiver.at(source.path)).toEqual([]);
  });

  it('is refused where it belongs to no organization', async () => {
    const text = 'payload=%7B%7D';
    const headers = { ...vendor.asSlack(text), 'content-type': 'application/x-www-form-urlencoded' };
    expectInvalid(await its.send('/api/v1/webhooks/slack/app', text, headers), 'body');
  });
});

it('a redelivery at GitHub delivers a dead event again under the same id, but no delivered one', async () => {
  const source = await its.enabled(api, PUSH);
  const headers = await vendor.asGithub(PUSHED, vendor.githubSecretOf(its.vendors, source.hook), 'guid-30');
  const send = async (): Promise<void> => {
    expect((await its.send(source.hook, PUSHED, headers)).status).toBe(200);
    await eventually(async () => expect(await waitingInbound(its.product.databaseUrl)).toBe(0));
  };
  its.receiver.on(`POST ${source.path}`, { status: 410 });
  await send();
  await its.delivered(api, source.id, { status: 'failed', attempt: 1 });
  const age = `UPDATE triggers.events SET created_at = now() - interval '6 minutes' WHERE source_id = $1`;
  await rowsOf(its.product.databaseUrl, age, [source.id]);
  its.receiver.on(`POST ${source.path}`, {});
  await send();
  await its.delivered(api, source.id, { status: 'success', attempt: 2 });
  await send();
  const told = await its.callbacks(source.path, 2);
  expect(told[1]?.body).toMatchObject({ id: told[0]?.body.id, payload: JSON.parse(PUSHED) });
});
