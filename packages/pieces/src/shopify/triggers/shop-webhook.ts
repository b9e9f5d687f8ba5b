import {
  connectionPaging,
  oneSubscription,
  ProviderError,
  readJson,
  scalarAt,
  textAt,
  type TriggerEvent,
  type WebhookRequest,
} from '@drawbridge/piece-kit';
import { hasKey, keyed } from '../../keyed-webhook.js';
import { CREATE_WEBHOOK, DELETE_WEBHOOK, WEBHOOKS } from '../documents.js';
import { mutate, request } from '../requests.js';

/** Maximum number of webhooks that are read. */
const MAX_WEBHOOKS = 1_000;

/**
 * Returns the functions of a trigger for one topic. Shopify signs requests with the secret of the app, which a trigger does not have, so the URL
 * contains a secret instead: https://shopify.dev/docs/apps/build/webhooks
 */
export function shopWebhook(topic: string) {
  return {
    ...keyed(
      oneSubscription<unknown>({
        list: ({ http }) =>
          http.pages(request(WEBHOOKS, { first: 100 }), MAX_WEBHOOKS, connectionPaging('webhookSubscriptions')),
        urlAt: ['uri'],
        create: async ({ http, webhookUrl }) => {
          const variables = { topic, subscription: { uri: webhookUrl, format: 'JSON' } };
          const id = textAt(await mutate(http, CREATE_WEBHOOK, variables), 'webhookSubscription', 'id');
          if (!id) throw new ProviderError('Shopify returned a webhook without an id');
          return { state: { id } };
        },
        remove: async ({ http }, id) => void (await mutate(http, DELETE_WEBHOOK, { id }).catch(unlessGone)),
      }),
    ),
    verify: hasKey,
    events: (sent: WebhookRequest): TriggerEvent[] => {
      const data = readJson(sent);
      // The same event of another webhook has a different id. A repeated delivery has the same id.
      const id = sent.headers['x-shopify-event-id'] ?? sent.headers['x-shopify-webhook-id'];
      if (!data || !id) throw new Error('the request from Shopify is no event: it has no JSON or no id');
      return scalarAt(data, 'id') === undefined ? [] : [{ id, data }];
    },
  };
}

/** Ignores the error of a webhook that does not exist, because a user may have removed it at Shopify. Rethrows any other error. */
function unlessGone(error: unknown): void {
  const isGone = error instanceof ProviderError && (error.status === 404 || /does not exist/i.test(error.message));
  if (!isGone) throw error;
}

/** An example of an order, as Shopify sends it. */
export const ORDER = {
  id: 820982911946154500,
  admin_graphql_api_id: 'gid://shopify/Order/820982911946154508',
  name: '#9999',
  email: 'ada@example.com',
  created_at: '2026-01-31T09:00:00-05:00',
  currency: 'USD',
  total_price: '388.00',
  financial_status: 'paid',
  fulfillment_status: null,
  line_items: [{ id: 866550311766439000, title: 'Tea', quantity: 1, price: '388.00' }],
};
