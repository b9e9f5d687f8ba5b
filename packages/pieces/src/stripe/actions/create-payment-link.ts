import { action, checkbox, dropdown, number } from '@drawbridge/piece-kit';
import { prices, products } from '../options.js';
import { metadata } from '../properties.js';

/** https://docs.stripe.com/api/payment-link/create */
export const createPaymentLink = action({
  displayName: 'Create payment link',
  description: 'Creates a link that any number of people can pay by. Returns it as "url".',
  category: 'write',
  adds: true,
  props: {
    product: dropdown('Product', { description: 'Lists only the prices of this product.', options: products }),
    price: dropdown('Price', {
      required: true,
      description: 'The id of a price, such as price_1MoBy5LkdIwHu7ix.',
      refreshers: ['product'],
      options: prices,
    }),
    quantity: number('Quantity', { description: 'Defaults to 1.', integer: true, minimum: 1, maximum: 999_999 }),
    allow_promotion_codes: checkbox('Promotion codes', { description: 'Lets the payer enter a promotion code.' }),
    metadata,
  },
  run: ({ http, input: { product: _product, price, quantity = 1, ...form } }) =>
    http.json({ method: 'POST', path: '/v1/payment_links', form: { ...form, line_items: [{ price, quantity }] } }),
});
