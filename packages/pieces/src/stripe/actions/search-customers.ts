import { action, shortText, collect } from '@drawbridge/piece-kit';
import { itemLimit } from '../../item-limit.js';

/** Finds customers by email, name, phone or metadata: https://docs.stripe.com/api/customers/search */
export const searchCustomers = action({
  displayName: 'Search customers',
  description: 'Finds customers by email, name, phone or metadata. New customers appear after about a minute.',
  category: 'read',
  props: {
    query: shortText('Query', {
      required: true,
      description:
        'Such as email:"ann@acme.example", name~"acme" for a substring, or metadata["order"]:"6735". ' +
        'Join clauses with AND or OR.',
      minLength: 1,
      maxLength: 4000,
    }),
    limit: itemLimit({ defaultsTo: 100, maximum: 1_000 }),
  },
  run: async ({ http, input: { query, limit = 100 } }) => {
    const request = { method: 'GET', path: '/v1/customers/search', query: { query, limit: Math.min(limit, 100) } };
    return collect(http.pages(request, limit));
  },
});
