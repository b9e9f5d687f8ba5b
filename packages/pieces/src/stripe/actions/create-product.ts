import { action, checkbox, longText, shortText } from '@drawbridge/piece-kit';
import { metadata, url } from '../properties.js';

/** https://docs.stripe.com/api/products/create */
export const createProduct = action({
  displayName: 'Create product',
  description: 'Creates a product. "Create price" gives it a price.',
  category: 'write',
  adds: true,
  props: {
    name: shortText('Name', { required: true, description: 'Shown to customers.', minLength: 1, maxLength: 250 }),
    description: longText('Description', { description: 'Shown to customers.', maxLength: 5000 }),
    active: checkbox('Active', { description: 'Whether it can be bought. Defaults to true.' }),
    url: shortText('URL', { description: 'A public page about the product.', ...url }),
    metadata,
  },
  call: { method: 'POST', path: '/v1/products', form: ['name', 'description', 'active', 'url', 'metadata'] },
});
