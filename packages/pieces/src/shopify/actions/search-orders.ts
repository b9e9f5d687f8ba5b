import { action } from '@drawbridge/piece-kit';
import { ORDERS } from '../documents.js';
import { limit, query } from '../properties.js';
import { searchFor, toOrder } from '../records.js';

/** Finds orders by a query: https://shopify.dev/docs/api/admin-graphql/latest/queries/orders */
export const searchOrders = action({
  displayName: 'Search orders',
  description:
    'Finds orders, newest first: their status, total, customer and lines. Most connections see only the last 60 days.',
  category: 'read',
  props: { query, limit },
  run: async ({ http, input }) => (await searchFor(http, { document: ORDERS, list: 'orders', ...input })).map(toOrder),
});
