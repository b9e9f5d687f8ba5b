import { trigger } from '@drawbridge/piece-kit';
import { shopWebhook } from './shop-webhook.js';

/** Runs when a customer is created: https://shopify.dev/docs/api/admin-graphql/latest/enums/WebhookSubscriptionTopic */
export const customerCreated = trigger({
  kind: 'webhook',
  displayName: 'Customer created',
  description: 'Runs when a customer is created.',
  props: {},
  sample: {
    id: 706405506930370000,
    admin_graphql_api_id: 'gid://shopify/Customer/706405506930370084',
    email: 'ada@example.com',
    first_name: 'Ada',
    last_name: 'Lovelace',
    created_at: '2026-01-31T09:00:00-05:00',
  },
  ...shopWebhook('CUSTOMERS_CREATE'),
});
