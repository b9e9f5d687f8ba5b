import { trigger } from '@drawbridge/piece-kit';
import { endpoint, sample } from './endpoint.js';

/** Runs when a subscription ends: https://docs.stripe.com/api/events/types#event_types-customer.subscription.deleted */
export const subscriptionCancelled = trigger({
  kind: 'webhook',
  displayName: 'Subscription cancelled',
  description:
    'Runs when a subscription ends, not when its end is only planned. The event has the subscription as "data.object".',
  props: {},
  sample: sample('customer.subscription.deleted', {
    ...{ id: 'sub_1MowQVLkdIwHu7ix', object: 'subscription', status: 'canceled', customer: 'cus_NffrFeUfNV2Hib' },
    canceled_at: 1_767_225_600,
  }),
  ...endpoint<unknown>(() => ['customer.subscription.deleted']),
});
