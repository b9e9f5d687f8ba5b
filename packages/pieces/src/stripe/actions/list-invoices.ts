import { action, collect, dropdown, staticDropdown } from '@drawbridge/piece-kit';
import { customers } from '../options.js';
import { CUSTOMER, limit } from '../properties.js';
import { toInvoice } from '../short-forms.js';

/** https://docs.stripe.com/api/invoices/list */
export const listInvoices = action({
  displayName: 'List invoices',
  description: 'Lists invoices, newest first: their number, status, amounts and links.',
  category: 'read',
  props: {
    customer: dropdown('Customer', { description: CUSTOMER, options: customers }),
    status: staticDropdown('Status', ['draft', 'open', 'paid', 'uncollectible', 'void'], {
      description: 'Only invoices with this status.',
    }),
    limit,
  },
  run: async ({ http, input: { limit: count = 100, ...wanted } }) => {
    const query = { ...wanted, limit: Math.min(count, 100) };
    return (await collect(http.pages({ method: 'GET', path: '/v1/invoices', query }, count))).map(toInvoice);
  },
});
