import { trigger } from '@drawbridge/piece-kit';
import { endpoint, sample } from './endpoint.js';

/** Runs when a subscription is created: https://docs.stripe.com/api/events/types#event_types-customer.subscription.created */
export const subscriptionCreated = trigger({
  kind: 'webhook',
  displayName: 'Subscription created',
  description: 'Runs when a customer is subscribed. The event has the subscription as "data.object".',
  props: {},
  sample: sample('customer.subscription.created', {
    ...{ id: 'sub_1MowQVLkdIwHu7ix', object: 'subscription', status: 'active', customer: 'cus_NffrFeUfNV2Hib' },
  }),
  ...endpoint<unknown>(() => ['customer.subscription.created']),
});
