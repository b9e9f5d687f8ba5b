import { action, shortText } from '@drawbridge/piece-kit';

/** https://docs.stripe.com/api/payment_intents/retrieve */
export const getPayment = action({
  displayName: 'Get payment',
  description: 'Reads a payment: its amount, its status and why it failed.',
  category: 'read',
  props: {
    payment: shortText('Payment', {
      required: true,
      description: 'The id of a payment intent, such as pi_3MtwBwLkdIwHu7ix28a3tqPa.',
      pattern: '^pi_\\w+$',
      maxLength: 255,
    }),
  },
  call: { method: 'GET', path: '/v1/payment_intents/{payment}' },
});
