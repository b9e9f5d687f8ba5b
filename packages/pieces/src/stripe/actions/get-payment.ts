import { action, expandPath, shortText } from '@drawbridge/piece-kit';
import { PAYMENT, shown } from '../answers.js';
import { raw } from '../properties.js';

/** Returns a payment intent: https://docs.stripe.com/api/payment_intents/retrieve */
export const getPayment = action({
  displayName: 'Get payment',
  description: 'Reads a payment: amount, status, customer and the reason of a failure.',
  category: 'read',
  props: {
    payment: shortText('Payment', {
      required: true,
      description: 'The id of a payment intent (pi_…).',
      pattern: '^pi_[A-Za-z0-9]+$',
      maxLength: 255,
    }),
    raw,
  },
  run: async ({ http, input: { payment, raw: whole } }) => {
    const path = expandPath('/v1/payment_intents/{payment}', { payment });
    return shown(await http.json({ method: 'GET', path }), PAYMENT, whole);
  },
});
