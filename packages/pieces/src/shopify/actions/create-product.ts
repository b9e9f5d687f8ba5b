import { action, member, shortText, staticDropdown } from '@drawbridge/piece-kit';
import { CREATE_PRODUCT } from '../documents.js';
import { toProductInput } from '../product.js';
import { productFields } from '../properties.js';
import { toProduct } from '../records.js';
import { mutate } from '../requests.js';

/** Creates a product with one variant: https://shopify.dev/docs/api/admin-graphql/latest/mutations/productCreate */
export const createProduct = action({
  displayName: 'Create product',
  description: 'Creates a product with one variant and returns it.',
  category: 'write',
  adds: true,
  props: {
    title: shortText('Title', {
      required: true,
      description: 'The name of the product.',
      minLength: 1,
      maxLength: 255,
    }),
    ...productFields,
    status: staticDropdown('Status', ['ACTIVE', 'DRAFT', 'ARCHIVED'], { description: 'Defaults to ACTIVE.' }),
  },
  run: async ({ http, input }) =>
    toProduct(member(await mutate(http, CREATE_PRODUCT, { product: toProductInput(input) }), 'product') ?? {}),
});
