import { trigger } from '@drawbridge/piece-kit';
import { endpoint, sample } from './endpoint.js';

/** Runs when a payment succeeds: https://docs.stripe.com/api/events/types#event_types-payment_intent.succeeded */
export const paymentSucceeded = trigger({
  kind: 'webhook',
  displayName: 'Payment succeeded',
  description: 'Runs when a payment succeeds. The event has the payment intent as "data.object".',
  props: {},
  sample: sample('payment_intent.succeeded', {
    ...{ id: 'pi_3MtwBwLkdIwHu7ix', object: 'payment_intent', amount: 1250, amount_received: 1250, currency: 'eur' },
    ...{ status: 'succeeded', customer: 'cus_NffrFeUfNV2Hib' },
  }),
  ...endpoint<unknown>(() => ['payment_intent.succeeded']),
});
