import { trigger } from '@drawbridge/piece-kit';
import { endpoint, sample } from './endpoint.js';

/** Runs when an attempt to pay fails: https://docs.stripe.com/api/events/types#event_types-payment_intent.payment_failed */
export const paymentFailed = trigger({
  kind: 'webhook',
  displayName: 'Payment failed',
  description:
    'Runs when an attempt to pay fails. The event has the payment intent as "data.object", with "last_payment_error".',
  props: {},
  sample: sample('payment_intent.payment_failed', {
    ...{
      id: 'pi_3MtwBwLkdIwHu7ix',
      object: 'payment_intent',
      amount: 1250,
      currency: 'eur',
      customer: 'cus_NffrFeUfNV2Hib',
    },
    ...{
      status: 'requires_payment_method',
      last_payment_error: { code: 'card_declined', message: 'Your card was declined.' },
    },
  }),
  ...endpoint<unknown>(() => ['payment_intent.payment_failed']),
});
