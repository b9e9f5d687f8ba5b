import { type JsonObject, trigger } from '@drawbridge/piece-kit';
import { endpointFor, sample } from './endpoint.js';

const PAYMENT = { id: 'pi_3MtwBwLkdIwHu7ix28a3tqPa', object: 'payment_intent', amount: 1250, currency: 'eur' };
const SUBSCRIPTION = { id: 'sub_1MowQVLkdIwHu7ix', object: 'subscription', customer: 'cus_NffrFeUfNV2Hib' };

/** Declares a trigger for one type of events: https://docs.stripe.com/api/events/types. The event has the object as `data.object`. */
const onEvent = (type: string, about: { displayName: string; description: string }, object: JsonObject) =>
  trigger({
    kind: 'webhook',
    ...about,
    props: {},
    sample: sample(type, object),
    ...endpointFor<unknown>(() => [type]),
  });

export const paymentSucceeded = onEvent(
  'payment_intent.succeeded',
  { displayName: 'Payment succeeded', description: 'Runs when a payment is complete.' },
  { ...PAYMENT, status: 'succeeded', amount_received: 1250 },
);

export const paymentFailed = onEvent(
  'payment_intent.payment_failed',
  { displayName: 'Payment failed', description: 'Runs when an attempt to pay fails, with the reason.' },
  {
    ...{ ...PAYMENT, status: 'requires_payment_method' },
    last_payment_error: { code: 'card_declined', message: 'Your card was declined.' },
  },
);

export const subscriptionCreated = onEvent(
  'customer.subscription.created',
  { displayName: 'Subscription created', description: 'Runs when a customer subscribes.' },
  { ...SUBSCRIPTION, status: 'active' },
);

export const subscriptionCancelled = onEvent(
  'customer.subscription.deleted',
  { displayName: 'Subscription cancelled', description: 'Runs when a subscription has ended.' },
  { ...SUBSCRIPTION, status: 'canceled' },
);

export const invoicePaid = onEvent(
  'invoice.paid',
  { displayName: 'Invoice paid', description: 'Runs when an invoice is paid.' },
  { id: 'in_1NG8Du2eZvKYlo2C', object: 'invoice', status: 'paid', amount_paid: 1250, currency: 'eur' },
);
