import { trigger } from '@drawbridge/piece-kit';
import { ORDER, shopWebhook } from './shop-webhook.js';

/** Runs when an order is paid in full: https://shopify.dev/docs/api/admin-graphql/latest/enums/WebhookSubscriptionTopic */
export const orderPaid = trigger({
  kind: 'webhook',
  displayName: 'Order paid',
  description: 'Runs when an order is paid in full.',
  props: {},
  sample: ORDER,
  ...shopWebhook('ORDERS_PAID'),
});
