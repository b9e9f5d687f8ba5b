import { action, checkbox, dropdown, number, shortText, staticDropdown } from '@drawbridge/piece-kit';
import { customers, prices, products } from '../options.js';
import { CUSTOMER, email, metadata, url } from '../properties.js';

/** Creates a hosted page for a payment or a subscription: https://docs.stripe.com/api/checkout/sessions/create */
export const createCheckout = action({
  displayName: 'Create checkout',
  description: 'Creates a hosted page for a payment or a subscription. Returns its address as "url".',
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
      { required: true, description: 'Use Subscribe for recurring prices.' },
    ),
    product: dropdown('Product', { description: 'Only prices of this product.', options: products }),
    price: dropdown('Price', {
      required: true,
      description: 'The id (price_…).',
      refreshers: ['product'],
      options: prices,
    }),
    quantity: number('Quantity', { description: 'Defaults to 1.', integer: true, minimum: 1, maximum: 999_999 }),
    success_url: shortText('Success URL', { required: true, description: 'URL to open after the payment.', ...url }),
    cancel_url: shortText('Cancel URL', { description: 'URL to open if the payer cancels.', ...url }),
    customer: dropdown('Customer', { description: CUSTOMER, options: customers }),
    customer_email: shortText('Email', {
      description: 'Email address of the payer, if no customer is given.',
      ...email,
    }),
    client_reference_id: shortText('Reference', {
      description: 'Your own id, such as the id of a cart.',
      maxLength: 200,
    }),
    allow_promotion_codes: checkbox('Promotion codes', { description: 'Lets the payer enter a promotion code.' }),
    metadata,
  },
  run: async ({ http, input: { product: _product, price, quantity = 1, ...form } }) =>
    http.json({
      method: 'POST',
      path: '/v1/checkout/sessions',
      form: { ...form, line_items: [{ price, quantity }] },
    }),
});
