import { trigger } from '@drawbridge/piece-kit';
import { ORDER, shopWebhook } from './shop-webhook.js';

/** Runs when an order is created: https://shopify.dev/docs/api/admin-graphql/latest/enums/WebhookSubscriptionTopic */
export const orderCreated = trigger({
  kind: 'webhook',
  displayName: 'Order created',
  description: 'Runs when an order is created.',
  props: {},
  sample: { ...ORDER, financial_status: 'pending' },
  ...shopWebhook('ORDERS_CREATE'),
});
