import { action, checkbox, dropdown, number, shortText, staticDropdown } from '@drawbridge/piece-kit';
import { customers, prices, products } from '../options.js';
import { CUSTOMER, email, metadata, url } from '../properties.js';

/** https://docs.stripe.com/api/checkout/sessions/create */
export const createCheckout = action({
  displayName: 'Create checkout',
  description: 'Makes a page on which somebody pays or subscribes; its address is the "url" of the answer.',
  category: 'write',
  adds: true,
  recipients: ['customer', 'customer_email'],
  props: {
    mode: staticDropdown(
      'Mode',
      [
        { label: 'Pay once', value: 'payment' },
        { label: 'Subscribe', value: 'subscription' },
      ],
      { required: true, description: 'Subscribe where the price is paid again and again.' },
    ),
    product: dropdown('Product', { description: 'Shows the prices of this one alone.', options: products }),
    price: dropdown('Price', {
      required: true,
      description: 'The id of a price, as in price_1MoBy5LkdIwHu7ix.',
      refreshers: ['product'],
      options: prices,
    }),
    quantity: number('Quantity', { description: '1 if absent.', integer: true, minimum: 1, maximum: 999_999 }),
    success_url: shortText('After paying', { required: true, description: 'Where the payer goes then.', ...url }),
    cancel_url: shortText('After cancelling', { description: 'Where the payer goes then.', ...url }),
    customer: dropdown('Customer', { description: CUSTOMER, options: customers }),
    customer_email: shortText('Email', { description: 'Of the payer, where no customer is chosen.', ...email }),
    client_reference_id: shortText('Reference', { description: 'Of your own, such as a cart.', maxLength: 200 }),
    allow_promotion_codes: checkbox('Promotion codes', { description: 'Whether the payer may enter one.' }),
    metadata,
  },
  run: async ({ http, input: { product: _product, price, quantity = 1, ...form } }) =>
    http.json({
      method: 'POST',
      path: '/v1/checkout/sessions',
      form: { ...form, line_items: [{ price, quantity }] },
    }),
});
