import { action, member, shortText, staticDropdown } from '@drawbridge/piece-kit';
import { UPDATE_PRODUCT } from '../documents.js';
import { toProductInput } from '../product.js';
import { product, productFields } from '../properties.js';
import { toProduct } from '../records.js';
import { mutate, toGid } from '../requests.js';

/** Changes a product: https://shopify.dev/docs/api/admin-graphql/latest/mutations/productUpdate */
export const updateProduct = action({
  displayName: 'Update product',
  description: 'Changes a product and returns it. Its tags are replaced.',
  category: 'write',
  idempotent: true,
  props: {
    product_id: product,
    title: shortText('Title', { description: 'The new name.', minLength: 1, maxLength: 255 }),
    ...productFields,
    status: staticDropdown('Status', ['ACTIVE', 'DRAFT', 'ARCHIVED'], { description: 'The new status.' }),
  },
  run: async ({ http, input: { product_id, ...given } }) => {
    const changed = { id: toGid('Product', product_id), ...toProductInput(given) };
    return toProduct(member(await mutate(http, UPDATE_PRODUCT, { product: changed }), 'product') ?? {});
  },
});
