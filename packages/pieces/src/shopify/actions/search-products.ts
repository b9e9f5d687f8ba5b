import { action } from '@drawbridge/piece-kit';
import { PRODUCTS } from '../documents.js';
import { limit, query } from '../properties.js';
import { searchFor, toProduct } from '../records.js';

/** Finds products with their variants, prices and stock: https://shopify.dev/docs/api/admin-graphql/latest/queries/products */
export const searchProducts = action({
  displayName: 'Search products',
  description: 'Finds products with their variants, prices and stock.',
  category: 'read',
  props: { query, limit },
  run: async ({ http, input }) =>
    (await searchFor(http, { document: PRODUCTS, list: 'products', ...input })).map(toProduct),
});
