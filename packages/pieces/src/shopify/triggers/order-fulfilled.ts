import { trigger } from '@drawbridge/piece-kit';
import { ORDER, shopWebhook } from './shop-webhook.js';

/** Runs when all items of an order are fulfilled: https://shopify.dev/docs/api/admin-graphql/latest/enums/WebhookSubscriptionTopic */
export const orderFulfilled = trigger({
  kind: 'webhook',
  displayName: 'Order fulfilled',
  description: 'Runs when everything of an order is sent.',
  props: {},
  sample: { ...ORDER, fulfillment_status: 'fulfilled' },
  ...shopWebhook('ORDERS_FULFILLED'),
});
