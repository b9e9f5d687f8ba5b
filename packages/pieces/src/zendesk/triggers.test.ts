import { createHmac } from 'node:crypto';
import { type JsonObject, type Trigger, type WebhookTrigger } from '@drawbridge/piece-kit';
import { inbound, json, proofOf, runTrigger } from '../../testing/run-piece.js';
import { type Recorded, type Reply } from '../../testing/third-party.js';
import { zendesk } from './index.js';

const credential = { type: 'OAUTH2', accessToken: 'canary', tokenType: 'bearer', data: { subdomain: 'acme' } } as const;
const webhookUrl = 'https://gateway.example/api/v1/webhooks/zendesk/1';
const TIME = '2026-01-31T09:00:00Z';
const NOW = Date.parse(TIME);

const named = (name: string): WebhookTrigger => requireWebhook(zendesk.triggers?.[name]);

function requireWebhook(trigger: Trigger | undefined): WebhookTrigger {
  if (trigger?.kind !== 'webhook' || !trigger.events) throw new Error('The trigger is no webhook');
  return trigger;
}

/** Returns the webhooks of an account in two pages: two with other URLs, and two that earlier attempts created. */
function reply({ method, url }: Recorded): Reply {
  if (url.endsWith('/signing_secret')) return json({ signing_secret: { secret: 'hush', algorithm: 'SHA256' } });
  if (method === 'POST') return json({ webhook: { id: 'w9' } }, 201);
  if (method === 'DELETE') return { status: 204 };
  const endpoint = (own: boolean) => (own ? webhookUrl : 'https://other.example');
  const page = (ids: string[]) => ids.map((id, index) => ({ id, endpoint: endpoint(index === 1) }));
  return url.includes('after')
    ? json({ webhooks: page(['w3', 'w4']), links: {} })
    : json({ webhooks: page(['w1', 'w2']), links: { next: `https://acme.zendesk.com${url}&page[after]=x` } });
}

const step = (name: string, how: 'enable' | 'disable', state: JsonObject = {}, replies = reply) =>
  runTrigger({ piece: zendesk, credential, reply: replies }, {}, (context): Promise<unknown> =>
    named(name)[how]({ ...context, webhookUrl, secret: 'x', state }),
  );

it.each([
  ['ticket_created', ['created']],
  ['comment_added', ['comment_added']],
  [
    'ticket_updated',
    [
      ...['agent_assignment_changed', 'brand_changed', 'custom_field_changed', 'custom_status_changed'],
      ...['description_changed', 'external_id_changed', 'form_changed', 'group_assignment_changed'],
      ...['organization_changed', 'priority_changed', 'problem_link_changed', 'requester_changed', 'status_changed'],
      ...['subject_changed', 'tags_changed', 'task_due_at_changed', 'type_changed'],
    ],
  ],
])('%s leaves one webhook, with the secret that Zendesk chose', async (name, types) => {
  const { output, asked } = await step(name, 'enable');
  expect(output).toEqual({ state: { id: 'w9' }, secret: 'hush' });
  const subscriptions = JSON.stringify(types.map((type) => `zen:event-type:ticket.${type}`));
  expect(asked).toEqual([
    'GET /api/v2/webhooks?page%5Bsize%5D=100',
    'GET /api/v2/webhooks?page%5Bsize%5D=100&page[after]=x',
    'DELETE /api/v2/webhooks/w2',
    'DELETE /api/v2/webhooks/w4',
    `POST /api/v2/webhooks {"webhook":{"name":"Drawbridge","endpoint":"${webhookUrl}","http_method":"POST",` +
      `"request_format":"json","status":"active","subscriptions":${subscriptions}}}`,
    'GET /api/v2/webhooks/w9/signing_secret',
  ]);
});

it('removes its webhook, also if it is gone already', async () => {
  for (const status of [204, 404]) {
    const { asked } = await step('ticket_created', 'disable', { id: 'w9' }, () => ({ status }));
    expect(asked).toEqual(['DELETE /api/v2/webhooks/w9']);
  }
});

it.each([{ webhook: {} }, { webhook: { id: 'w9' } }])(
  'refuses the response %j without an id or a secret',
  async (body) => {
    const replies = ({ method }: Recorded): Reply => (method === 'POST' ? json(body) : json({ webhooks: [] }));
    await expect(step('ticket_created', 'enable', {}, replies)).rejects.toThrow('Zendesk returned a webhook without');
  },
);

const event = { type: 'zen:event-type:ticket.created', id: 'e1', detail: { id: '7' }, event: {} };
const sign = (body: string, time = TIME, secret = 'hush'): Record<string, string> => ({
  'x-zendesk-webhook-signature': createHmac('sha256', secret).update(time).update(body).digest('base64'),
  'x-zendesk-webhook-signature-timestamp': time,
});

describe('a request', () => {
  const { verify, events } = named('ticket_created');
  const body = JSON.stringify(event);

  it.each<[string, Record<string, string>, number, boolean]>([
    ['with its signature', sign(body), NOW, true],
    ['four minutes later', sign(body), NOW + 240_000, true],
    ['six minutes later', sign(body), NOW + 360_000, false],
    ['signed with another secret', sign(body, TIME, 'other'), NOW, false],
    ['with the signature of another body', sign('{}'), NOW, false],
    [
      'with another time than was signed',
      { ...sign(body), 'x-zendesk-webhook-signature-timestamp': '2026-01-31T09:00:01Z' },
      NOW,
      false,
    ],
    ['without a time', { 'x-zendesk-webhook-signature': sign(body)['x-zendesk-webhook-signature']! }, NOW, false],
    ['without a signature', {}, NOW, false],
  ])('%s is verified: %s', (_what, headers, now, expected) => {
    expect(verify(inbound(body, headers), proofOf('hush', now))).toBe(expected);
  });

  it('is one event with the id of Zendesk', () => {
    expect(events(inbound(event), {})).toEqual([{ id: 'e1', data: event }]);
    for (const other of ['x', '{}', '[]', '{"id":1}']) {
      expect(() => events(inbound(other), {})).toThrow('is not an event');
    }
  });
});
