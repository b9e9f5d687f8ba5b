import { action, collect, dropdown } from '@drawbridge/piece-kit';
import { customers } from '../options.js';
import { CUSTOMER, limit } from '../properties.js';
import { toPayment } from '../short-forms.js';

/** https://docs.stripe.com/api/payment_intents/list */
export const listPayments = action({
  displayName: 'List payments',
  description: 'Lists payments, newest first: their amount, status and customer.',
  category: 'read',
  props: { customer: dropdown('Customer', { description: CUSTOMER, options: customers }), limit },
  run: async ({ http, input: { customer, limit: count = 100 } }) => {
    const query = { customer, limit: Math.min(count, 100) };
    return (await collect(http.pages({ method: 'GET', path: '/v1/payment_intents', query }, count))).map(toPayment);
  },
});
