// Shapes: local
import { gzipSync } from 'node:zlib';
import { type RecordedRequest } from '@drawbridge/testkit';
import { Webhook } from 'standardwebhooks';
import { type Api } from './support/api.js';
import { rowsOf } from './support/database.js';
import { expectError, TIMESTAMP, UUID_V7 } from './support/expect.js';
import { eventually } from './support/eventually.js';
import { type Enabled, type NotifiedTriggers, notifiedTriggers, waitingInbound } from './support/notified-triggers.js';
import * as vendor from './support/trigger-vendors.js';

const PUSH = { integrationName: 'github', triggerName: 'push', input: { repo: 'acme/app' } };
const PAID = { integrationName: 'stripe', triggerName: 'event', input: { events: ['invoice.paid'] } };
const ISSUE = { integrationName: 'linear', triggerName: 'issue', input: {} };
const PUSHED = JSON.stringify({ ref: 'refs/heads/main', note: 'hä' });
const paid = (id: string): string => JSON.stringify({ id, object: 'event', type: 'invoice.paid' });

let its: NotifiedTriggers;
let api: Api;
let push: Enabled;
let secret: string;
let payment: Enabled;

beforeAll(async () => {
  its = await notifiedTriggers({ PUBLIC_RATE_LIMIT: '120' }); // a product of this file, because a test kills it
  api = await its.newApi();
  [push, payment] = [await its.enabled(api, PUSH), await its.enabled(api, PAID)];
  secret = vendor.githubSecretOf(its.vendors, push.hook);
});
afterAll(() => its?.stop());

const asGithub = (delivery: string, text = PUSHED, by = secret) => vendor.asGithub(text, by, delivery);

// This test comes first, because it requires that no earlier request counted towards the limit.
it('the rate limit headers of the sender are in every response and are not decremented', async () => {
  const payment = await its.enabled(api, PAID);
  const answers = [
    await its.send(payment.hook, paid('evt_limits'), vendor.asStripe(paid('evt_limits'))),
    await its.send(payment.hook, '{}'),
    await its.send('/api/v1/webhooks/github/short', '{}'),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 401, 404]);
  const shown = answers.map(({ headers }) => ['limit', 'remaining'].map((name) => headers.get(`x-ratelimit-${name}`)));
  expect(shown).toEqual(answers.map(() => ['120', '120']));
  for (const { headers } of answers) expect(headers.get('x-ratelimit-reset')).toMatch(/^\d+$/);
});

describe('a signed event', () => {
  it('is delivered to the callback once, signed with the secret of the source', async () => {
    const source = await its.enabled(api, {
      ...PUSH,
      callbackMetadata: { flow: 7 },
      callbackHeaders: { 'X-Own': 'yes' },
    });
    const by = vendor.githubSecretOf(its.vendors, source.hook);
    expect((await its.send(source.hook, PUSHED, await asGithub('guid-1', PUSHED, by))).status).toBe(200);
    const [{ body, headers, text } = {} as RecordedRequest] = await its.callbacks(source.path, 1);
    expect(body).toEqual({
      ...{ id: expect.stringMatching(UUID_V7), type: 'trigger.event', triggerSourceId: source.id },
      ...{ integrationName: 'github', integrationAlias: null, triggerName: 'push', workspaceId: source.workspaceId },
      ...{ endUserId: null, simulate: false, callbackMetadata: { flow: 7 }, payload: JSON.parse(PUSHED) },
      createdAt: expect.stringMatching(TIMESTAMP),
    });
    const [delivery] = await its.delivered(api, source.id, { status: 'success', attempt: 1, eventId: body.id });
    const named = { 'x-svc-trigger': source.id, 'x-svc-delivery': delivery.id, 'x-svc-attempt': '1', 'x-own': 'yes' };
    expect(headers).toMatchObject({ ...named, 'webhook-id': body.id });
    expect(() => new Webhook(source.signingSecret).verify(text, headers)).not.toThrow();
  });

  it("is verified with the provider's secret", async () => {
    expect((await its.send(payment.hook, paid('evt_1'), vendor.asStripe(paid('evt_1')))).status).toBe(200);
    const [{ body } = {} as RecordedRequest] = await its.callbacks(payment.path, 1);
    expect(body.payload).toEqual(JSON.parse(paid('evt_1')));
  });

  it('is delivered even without a content type', async () => {
    const source = await its.enabled(api, PAID);
    const headers = { ...vendor.asStripe(paid('evt_2')), 'content-type': '' };
    expect((await its.send(source.hook, paid('evt_2'), headers)).status).toBe(200);
    const [{ body } = {} as RecordedRequest] = await its.callbacks(source.path, 1);
    expect(body.payload).toEqual(JSON.parse(paid('evt_2')));
  });

  it('is verified with the timestamp in its body', async () => {
    const source = await its.enabled(api, ISSUE);
    const by = vendor.linearSecretOf(its.vendors, source.hook);
    const told = (at: number): string => JSON.stringify({ type: 'Issue', action: 'create', webhookTimestamp: at });
    const old = told(Date.now() - 61_000);
    expectError(await its.send(source.hook, old, vendor.asLinear(old, by, 'd0')), 401, 'UNAUTHENTICATED');
    const fresh = told(Date.now());
    expect((await its.send(source.hook, fresh, vendor.asLinear(fresh, by, 'd1'))).status).toBe(200);
    await its.callbacks(source.path, 1);
  });

  it('is delivered once if it is sent several times concurrently', async () => {
    const source = await its.enabled(api, PUSH);
    const headers = await asGithub('guid-2', PUSHED, vendor.githubSecretOf(its.vendors, source.hook));
    const answers = await Promise.all(Array.from({ length: 10 }, () => its.send(source.hook, PUSHED, headers)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    await eventually(async () => expect(await waitingInbound(its.product.databaseUrl)).toBe(0));
    await its.delivered(api, source.id, { status: 'success' });
    expect(its.receiver.at(source.path)).toHaveLength(1);
  });

  it('is not delivered again under another id after five minutes, because GitHub signs only the body', async () => {
    const source = await its.enabled(api, PUSH);
    const by = vendor.githubSecretOf(its.vendors, source.hook);
    const tell = async (id: string): Promise<void> =>
      expect(await its.send(source.hook, PUSHED, await asGithub(id, PUSHED, by))).toMatchObject({ status: 200 });
    await tell('guid-20');
    await tell('guid-21');
    await its.callbacks(source.path, 2);
    const age = `UPDATE triggers.events SET created_at = now() - interval '6 minutes' WHERE source_id = $1`;
    await rowsOf(its.product.databaseUrl, age, [source.id]);
    await tell('guid-22');
    await eventually(async () => expect(await waitingInbound(its.product.databaseUrl)).toBe(0));
    expect(await its.delivered(api, source.id, {}, {})).toHaveLength(2);
  });

  it('is accepted with an Authorization header, and up to 5 MiB', async () => {
    const source = await its.enabled(api, PUSH);
    const text = JSON.stringify({ ref: 'refs/heads/main', note: 'x'.repeat(5 * 1_048_576 - 100) });
    const headers = await asGithub('guid-3', text, vendor.githubSecretOf(its.vendors, source.hook));
    const sent = await its.send(source.hook, text, { ...headers, authorization: 'Bearer none-of-ours' });
    expect(sent.status).toBe(200);
    const [{ body } = {} as RecordedRequest] = await its.callbacks(source.path, 1);
    expect(body.payload.note).toHaveLength(5 * 1_048_576 - 100);
  });
});

describe('an event without a valid signature', () => {
  it.each<[string, () => Promise<[string, Record<string, string>]> | [string, Record<string, string>]]>([
    ['signed with another secret', async () => [PUSHED, await asGithub('guid-9', PUSHED, 'another')]],
    ['signed for another body', async () => [`${PUSHED} `, await asGithub('guid-9')]],
    ['not signed', () => [PUSHED, { 'x-github-event': 'push', 'x-github-delivery': 'guid-9' }]],
  ])('is refused: %s', async (_how, sent) => {
    expectError(await its.send(push.hook, ...(await sent())), 401, 'UNAUTHENTICATED');
  });

  it('is refused when its signature is too old, even if it was accepted before', async () => {
    const text = paid('evt_old');
    const old = vendor.asStripe(text, vendor.STRIPE_SECRET, vendor.now() - 301);
    expectError(await its.send(payment.hook, text, old), 401, 'UNAUTHENTICATED');
  });

  it('leaves no rows', async () => {
    await eventually(async () => expect(await waitingInbound(its.product.databaseUrl)).toBe(0));
    expect(its.receiver.at(push.path)).toEqual([]);
    expect((await its.delivered(api, push.id)).length).toBe(0);
  });
});

it('a ping is answered and not delivered', async () => {
  const ping = { 'x-github-event': 'ping', 'x-github-delivery': 'guid-0' };
  expect((await its.send(push.hook, '{"zen":"Keep it logically awesome."}', ping)).status).toBe(200);
  await eventually(async () => expect(await waitingInbound(its.product.databaseUrl)).toBe(0));
  expect(await its.delivered(api, push.id)).toEqual([]);
});

describe('a webhook address', () => {
  const elsewhere = (integration: string): string => push.hook.replace('github', integration);

  it.each<[string, () => string]>([
    ['that was never issued', () => `/api/v1/webhooks/github/${'A'.repeat(32)}`],
    ['that is malformed', () => '/api/v1/webhooks/github/short'],
    ['of another integration', () => elsewhere('stripe')],
    ['of an unknown integration', () => elsewhere('constructor')],
    ['of an app without events', () => '/api/v1/webhooks/github/app'],
  ])('%s is unknown', async (_what, hook) => {
    expectError(await its.send(hook(), PUSHED, await asGithub('guid-5')), 404, 'NOT_FOUND');
  });

  it('is unknown once its trigger is disabled', async () => {
    const source = await its.enabled(api, PUSH);
    const by = vendor.githubSecretOf(its.vendors, source.hook);
    expect((await api.post('/api/v1/triggers/disable', { triggerSourceId: source.id })).status).toBe(200);
    expectError(await its.send(source.hook, PUSHED, await asGithub('guid-6', PUSHED, by)), 404, 'NOT_FOUND');
    expect(its.receiver.at(source.path)).toEqual([]);
  });

  it.each(['GET', 'PUT', 'DELETE'])('refuses events with the method %s', async (method) => {
    const answer = await api.send(method, push.hook);
    expectError(answer, 405, 'METHOD_NOT_ALLOWED');
    expect(answer.headers.get('allow')).toBe('GET, HEAD, POST');
  });

  it('answers a provider that tests it by HEAD', async () => {
    expect((await api.send('HEAD', '/api/v1/webhooks/intercom/app')).status).toBe(200);
    expect((await api.send('HEAD', push.hook)).status).toBe(405);
  });

  it('refuses more than 5 MiB and compressed bodies', async () => {
    const large = 'x'.repeat(5 * 1_048_576 + 1);
    expectError(await its.send(push.hook, large, await asGithub('guid-7')), 413, 'VALIDATION_ERROR');
    const text = gzipSync(PUSHED).toString('latin1');
    const packed = { ...(await asGithub('guid-8')), 'content-encoding': 'gzip' };
    expectError(await its.send(push.hook, text, packed), 415, 'VALIDATION_ERROR');
  });
});

it('an acknowledged event is delivered although the process dies right afterwards', async () => {
  const source = await its.enabled(api, PUSH);
  const by = vendor.githubSecretOf(its.vendors, source.hook);
  const { product } = its;
  const victim = 'triggers' in product.processes() ? 'triggers' : 'drawbridge';
  expect((await its.send(source.hook, PUSHED, await asGithub('guid-10', PUSHED, by))).status).toBe(200);
  await product.kill(victim);
  await product.restart(victim);
  const came = await eventually(async () => {
    expect(its.receiver.at(source.path)).not.toEqual([]);
    return its.receiver.at(source.path);
  }, 60_000);
  expect(new Set(came.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
});
