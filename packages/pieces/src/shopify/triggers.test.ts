import { readFileSync } from 'node:fs';
import { type WebhookTrigger } from '@drawbridge/piece-kit';
import { buildSchema } from 'graphql';
import { checkGraphql } from '../../testing/check-graphql.js';
import { inbound, json, proofOf, runTrigger } from '../../testing/run-piece.js';
import { type Recorded, type Reply } from '../../testing/third-party.js';
import { shopify } from './index.js';

const schema = buildSchema(readFileSync(new URL('./shopify.fixture.graphql', import.meta.url), 'utf8'));
const check = (request: Recorded): string[] => checkGraphql(schema, request, '/admin/api/2026-07/graphql.json');
const SECRET = 'a'.repeat(64);
const proof = proofOf(SECRET, 0);
const hook = { webhookUrl: 'https://gateway.example/api/v1/webhooks/shopify/1', secret: SECRET };
const uri = `${hook.webhookUrl}?key=${SECRET}`;
const credential = { type: 'CUSTOM_AUTH', props: { shop: 'acme', accessToken: 'canary' } } as const;
const triggers = Object.entries(shopify.triggers ?? {}) as [string, WebhookTrigger][];
const TOPICS: Record<string, string> = {
  order_created: 'ORDERS_CREATE',
  order_paid: 'ORDERS_PAID',
  order_fulfilled: 'ORDERS_FULFILLED',
  customer_created: 'CUSTOMERS_CREATE',
};
const at = (key: string, body: unknown, headers: Record<string, string> = { 'x-shopify-event-id': 'e1' }) => ({
  ...inbound(body, headers),
  url: `/api/v1/webhooks/shopify/1?key=${key}`,
});
const variablesOf = (received: Recorded[]): unknown[] => received.map(({ body }) => JSON.parse(body).variables);

describe.each(triggers)('%s', (name, trigger) => {
  const reply = ({ body }: Recorded): Reply => {
    if (body.includes('query Webhooks')) {
      const nodes = [
        { id: 'w7', uri: 'https://other.example' },
        { id: 'w8', uri },
      ];
      return json({ data: { webhookSubscriptions: { nodes, pageInfo: { hasNextPage: false } } } });
    }
    if (body.includes('gone')) {
      const userErrors = [{ field: ['id'], message: 'Webhook subscription does not exist' }];
      return json({ data: { webhookSubscriptionDelete: { userErrors } } });
    }
    return json({ data: { webhookSubscriptionCreate: { webhookSubscription: { id: 'w9' }, userErrors: [] } } });
  };
  const setting = { piece: shopify, credential, reply };

  it('leaves one webhook for its topic, with a secret in the URL, and removes it', async () => {
    const made = await runTrigger(setting, {}, (context) => trigger.enable({ ...context, ...hook }));
    expect(made.output).toEqual({ state: { id: 'w9' } });
    expect(variablesOf(made.received)).toEqual([
      ...[{ first: 100 }, { id: 'w8' }],
      { topic: TOPICS[name], subscription: { uri, format: 'JSON' } },
    ]);
    for (const id of ['w9', 'gone']) {
      const ended = await runTrigger(setting, {}, (context) => trigger.disable({ ...context, ...hook, state: { id } }));
      expect(variablesOf(ended.received)).toEqual([{ id }]);
      expect(ended.received.flatMap(check)).toEqual([]);
    }
    expect(made.received.flatMap(check)).toEqual([]);
  });

  it('reads an event with the secret in its URL, by an id that repeats have too', () => {
    const request = at(SECRET, { id: 7, name: '#1' });
    expect(trigger.verify(request, proof)).toBe(true);
    expect(trigger.events(request, {})).toEqual([{ id: 'e1', data: { id: 7, name: '#1' } }]);
    const older = at(SECRET, { id: 7 }, { 'x-shopify-webhook-id': 'w1' });
    expect(trigger.events(older, {})[0]?.id).toBe('w1');
  });

  it('refuses a request without the secret, and throws for one without an id', () => {
    expect(trigger.verify(at('b'.repeat(64), { id: 7 }), proof)).toBe(false);
    expect(trigger.verify(inbound({ id: 7 }), proof)).toBe(false);
    expect(() => trigger.events(at(SECRET, { id: 7 }, {}), {})).toThrow('no id');
  });
});
