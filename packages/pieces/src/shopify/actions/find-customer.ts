import { action } from '@drawbridge/piece-kit';
import { CUSTOMERS } from '../documents.js';
import { limit, query } from '../properties.js';
import { searchFor, toCustomer } from '../records.js';

/** Finds customers by words and conditions: https://shopify.dev/docs/api/admin-graphql/latest/queries/customers */
export const findCustomer = action({
  displayName: 'Find customer',
  description: 'Finds customers by words and conditions, such as email:ada@example.com.',
  category: 'read',
  props: { query, limit },
  run: async ({ http, input }) =>
    (await searchFor(http, { document: CUSTOMERS, list: 'customers', ...input })).map(toCustomer),
});
