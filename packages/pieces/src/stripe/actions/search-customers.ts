import { action, number, shortText } from '@drawbridge/piece-kit';
import { collect } from '../../collect.js';

/** https://docs.stripe.com/api/customers/search */
export const searchCustomers = action({
  displayName: 'Search customers',
  description: 'Finds customers by email, name, phone or metadata. New ones are found after about a minute.',
  category: 'read',
  props: {
    query: shortText('Query', {
      required: true,
      description:
        'In Stripe\'s search language: email:"ann@acme.example", name~"acme" for a part of it, or metadata["order"]:"6735"; ' +
        'several are joined by AND, or by OR.',
      minLength: 1,
      maxLength: 4000,
    }),
    limit: number('At most', { description: '100 if absent.', integer: true, minimum: 1, maximum: 1000 }),
  },
  run: async ({ http, input: { query, limit = 100 } }) => {
    const request = { method: 'GET', path: '/v1/customers/search', query: { query, limit: Math.min(limit, 100) } };
    return collect(http.pages(request, limit));
  },
});
