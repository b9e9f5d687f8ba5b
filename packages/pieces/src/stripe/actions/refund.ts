import { action, number, shortText, staticDropdown } from '@drawbridge/piece-kit';
import { metadata } from '../properties.js';

/** Refunds all or part of a payment: https://docs.stripe.com/api/refunds/create */
export const refund = action({
  displayName: 'Refund',
  description: 'Refunds all or part of a payment and returns the refund.',
  category: 'payment',
  props: {
    payment: shortText('Payment', {
      required: true,
      description: 'A payment intent (pi_…) or charge (ch_…, py_…).',
      pattern: '^(pi|ch|py)_[A-Za-z0-9]+$',
      maxLength: 255,
    }),
    amount: number('Amount', {
      description: 'In the smallest unit: 1250 is 12.50 EUR. Defaults to the remaining amount.',
      integer: true,
      minimum: 1,
    }),
    reason: staticDropdown('Reason', [
      { label: 'Requested by the customer', value: 'requested_by_customer' },
      { label: 'Duplicate', value: 'duplicate' },
      { label: 'Fraudulent', value: 'fraudulent' },
    ]),
    metadata,
  },
  run: async ({ http, input: { payment, ...form } }) => {
    const key = payment.startsWith('pi_') ? 'payment_intent' : 'charge';
    return http.json({ method: 'POST', path: '/v1/refunds', form: { [key]: payment, ...form } });
  },
});
