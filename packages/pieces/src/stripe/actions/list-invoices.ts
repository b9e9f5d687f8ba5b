import { action, collect, dropdown, staticDropdown } from '@drawbridge/piece-kit';
import { INVOICE, shown } from '../answers.js';
import { customers, subscriptions } from '../options.js';
import { CUSTOMER, limit, PAGE, period, raw, SUBSCRIPTION, toRange } from '../properties.js';

/** Lists invoices: https://docs.stripe.com/api/invoices/list */
export const listInvoices = action({
  displayName: 'List invoices',
  description: 'Lists invoices, the newest first, with their amounts, status and hosted page.',
  category: 'read',
  props: {
    customer: dropdown('Customer', { description: CUSTOMER, options: customers }),
    status: staticDropdown('Status', ['draft', 'open', 'paid', 'uncollectible', 'void'], {
      description: 'Defaults to all.',
    }),
    subscription: dropdown('Subscription', {
      description: SUBSCRIPTION,
      refreshers: ['customer'],
      options: subscriptions,
    }),
    ...period,
    limit,
    raw,
  },
  run: async ({ http, input: { created_after, created_before, limit: count = PAGE, raw: whole, ...filter } }) => {
    const query = { ...filter, ...toRange({ created_after, created_before }), limit: Math.min(count, PAGE) };
    const invoices = await collect(http.pages({ method: 'GET', path: '/v1/invoices', query }, count));
    return invoices.map((invoice) => shown(invoice, INVOICE, whole));
  },
});
