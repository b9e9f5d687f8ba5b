import Stripe from 'stripe';
import { readDescription } from '../../testing/read-description.js';
import { inbound, json, proofOf, runTrigger, webhookOf } from '../../testing/run-piece.js';
import type { Recorded, Reply } from '../../testing/third-party.js';
import { by } from '../../testing/witness.js';
import { EVENT_TYPES } from './event-types.js';
import { stripe } from './index.js';
import { event } from './triggers/event.js';

const described = readDescription('stripe');
const credential = { type: 'SECRET_TEXT', secretText: 'sk_test_canary' } as const;
const secret = 'whsec_test';
const webhookUrl = 'https://gateway.example/api/v1/webhooks/stripe/1';
const now = 1_767_225_600_000;
const seconds = now / 1000;

/** Returns two endpoints. An earlier attempt created one of them with the same URL. */
function reply({ method, url }: Recorded): Reply {
  if (method === 'GET') {
    const data = [
      { id: 'we_other', url: 'https://other.example' },
      { id: 'we_old', url: webhookUrl },
    ];
    return json({ data, has_more: false });
  }
  if (method === 'DELETE' && url.endsWith('we_gone')) return json({ error: { message: 'No such endpoint' } }, 404);
  return json({ id: 'we_1', secret });
}

const setting = { piece: stripe, credential, reply };

it('registers the webhook URL once, with the secret that Stripe chooses', async () => {
  const { output, asked, received } = await runTrigger(setting, { events: ['invoice.paid'] }, (context) =>
    event.enable({ ...context, webhookUrl, secret: 'of ours' }),
  );
  expect(output).toEqual({ state: { id: 'we_1' }, secret });
  expect(asked).toEqual([
    'GET /v1/webhook_endpoints?limit=100',
    'DELETE /v1/webhook_endpoints/we_old',
    `POST /v1/webhook_endpoints url=${webhookUrl}&enabled_events[]=invoice.paid&api_version=2026-10-28.endive`,
  ]);
  expect(received.flatMap(by(described))).toEqual([]);
});

it.each([
  ['payment_succeeded', 'payment_intent.succeeded'],
  ['payment_failed', 'payment_intent.payment_failed'],
  ['subscription_created', 'customer.subscription.created'],
  ['subscription_cancelled', 'customer.subscription.deleted'],
  ['invoice_paid', 'invoice.paid'],
])('%s subscribes to %s, and verifies and reads its events', async (name, type) => {
  const trigger = webhookOf(stripe, name);
  const { asked, received } = await runTrigger(setting, {}, (context) =>
    trigger.enable({ ...context, webhookUrl, secret: 'of ours' }),
  );
  expect(asked.slice(-2)).toEqual([
    'DELETE /v1/webhook_endpoints/we_old',
    `POST /v1/webhook_endpoints url=${webhookUrl}&enabled_events[]=${type}&api_version=${Stripe.API_VERSION}`,
  ]);
  expect(received.flatMap(by(described))).toEqual([]);
  expect(trigger.sample['type']).toBe(type);
  const text = JSON.stringify(trigger.sample);
  const sign = (timestamp: number) =>
    inbound(text, {
      'stripe-signature': Stripe.webhooks.generateTestHeaderString({ payload: text, secret, timestamp }),
    });
  expect(trigger.verify(sign(seconds), proofOf(secret, now))).toBe(true);
  expect(trigger.verify(sign(seconds - 301), proofOf(secret, now))).toBe(false);
  expect(trigger.verify(sign(seconds), proofOf('whsec_other', now))).toBe(false);
  expect(trigger.events(sign(seconds), {})).toEqual([{ id: trigger.sample['id'], data: trigger.sample }]);
});

it.each(['we_1', 'we_gone'])('deletes the webhook endpoint %s', async (id) => {
  const { asked } = await runTrigger(setting, { events: [] }, (context) =>
    event.disable({ ...context, state: { id }, webhookUrl, secret }),
  );
  expect(asked).toEqual([`DELETE /v1/webhook_endpoints/${id}`]);
});

it('offers event types of Stripe', async () => {
  const { body } = described.operations['POST /v1/webhook_endpoints'] ?? {};
  const known = (body?.schema as { properties: { enabled_events: { items: { enum: string[] } } } }).properties;
  const { output } = await runTrigger(setting, {}, async ({ http, auth, signal }) =>
    event.props['events']?.loadOptions?.({ http, input: {}, search: undefined, auth, signal }),
  );
  expect(output).toEqual(EVENT_TYPES.map((type) => ({ label: type, value: type })));
  expect(EVENT_TYPES.filter((type) => !known.enabled_events.items.enum.includes(type))).toEqual([]);
  expect(EVENT_TYPES.length).toBeGreaterThan(60);
});

describe('a request', () => {
  const payload = JSON.stringify({ id: 'evt_1', object: 'event', type: 'invoice.paid' });
  const signed = (timestamp = seconds, by = secret, text = payload): string =>
    Stripe.webhooks.generateTestHeaderString({ payload: text, secret: by, timestamp });
  const verify = (signature: string | undefined, text = payload): boolean =>
    event.verify(inbound(text, signature === undefined ? {} : { 'stripe-signature': signature }), proofOf(secret, now));

  it.each<[string, boolean, boolean]>([
    ['as Stripe signs it', verify(signed()), true],
    ['five minutes old', verify(signed(seconds - 300)), true],
    ['older', verify(signed(seconds - 301)), false],
    ['from the future', verify(signed(seconds + 301)), false],
    ['of another secret', verify(signed(seconds, 'whsec_other')), false],
    ['of another body', verify(signed(), `${payload} `), false],
    ['unsigned', verify(undefined), false],
    ['signed with nothing', verify(`t=${seconds},v1=`), false],
    ['signed only with the old scheme', verify(signed().replace('v1=', 'v0=')), false],
    ['signed with two secrets', verify(`${signed(seconds, 'whsec_old')},${signed().split(',')[1]}`), true],
    ['with nonsense', verify('=,=,t,v1'), false],
  ])('%s', (_, isTrue, expected) => expect(isTrue).toBe(expected));

  it('causes its event', () => {
    const data = { id: 'evt_1', object: 'event', type: 'invoice.paid' };
    expect(event.events(inbound(payload), {})).toEqual([{ id: 'evt_1', data }]);
    expect(event.events(inbound('{"id":"x"}'), {})).toEqual([]);
    expect(event.events(inbound(payload, { 'content-type': '' }), {})).toEqual([{ id: 'evt_1', data }]);
    expect(() => event.events(inbound('not JSON'), {})).toThrow('The signed body from Stripe is not JSON');
    expect(() => event.events(inbound('{}'), {})).toThrow('The signed event from Stripe has no id');
  });
});
