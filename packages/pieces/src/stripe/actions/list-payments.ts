import { action, collect, dropdown } from '@drawbridge/piece-kit';
import { PAYMENT, shown } from '../answers.js';
import { customers } from '../options.js';
import { CUSTOMER, limit, PAGE, period, raw, toRange } from '../properties.js';

/** Lists payment intents: https://docs.stripe.com/api/payment_intents/list */
export const listPayments = action({
  displayName: 'List payments',
  description: 'Lists payments, the newest first, with amount, status and the reason of a failure.',
  category: 'read',
  props: { customer: dropdown('Customer', { description: CUSTOMER, options: customers }), ...period, limit, raw },
  run: async ({ http, input: { customer, created_after, created_before, limit: count = PAGE, raw: whole } }) => {
    const query = { customer, ...toRange({ created_after, created_before }), limit: Math.min(count, PAGE) };
    const payments = await collect(http.pages({ method: 'GET', path: '/v1/payment_intents', query }, count));
    return payments.map((payment) => shown(payment, PAYMENT, whole));
  },
});
