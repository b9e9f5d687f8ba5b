import { action, checkbox, dropdown, number, shortText } from '@drawbridge/piece-kit';
import { PAYMENT_LINK, shown } from '../answers.js';
import { prices, products } from '../options.js';
import { metadata, PRICE, url } from '../properties.js';

/** Creates a payment link that any number of customers can use: https://docs.stripe.com/api/payment-link/create */
export const createPaymentLink = action({
  displayName: 'Create payment link',
  description:
    'Creates a link that any number of customers can pay with, and returns it as "url". For one payer, create a checkout.',
  category: 'write',
  adds: true,
  props: {
    product: dropdown('Product', { description: 'Only prices of this product.', options: products }),
    price: dropdown('Price', { required: true, description: PRICE, refreshers: ['product'], options: prices }),
    quantity: number('Quantity', { description: 'Defaults to 1.', integer: true, minimum: 1, maximum: 999_999 }),
    adjustable: checkbox('Adjustable quantity', { description: 'Lets the payer change the quantity.' }),
    redirect_url: shortText('Redirect URL', {
      description: "URL to open after the payment. Defaults to Stripe's page.",
      ...url,
    }),
    allow_promotion_codes: checkbox('Promotion codes', { description: 'Lets the payer enter a promotion code.' }),
    metadata,
  },
  run: async ({ http, input: { product: _product, price, quantity = 1, adjustable, redirect_url, ...form } }) => {
    const item = { price, quantity, ...(adjustable && { adjustable_quantity: { enabled: true } }) };
    const then = redirect_url && { after_completion: { type: 'redirect', redirect: { url: redirect_url } } };
    const link = { ...form, line_items: [item], ...then };
    return shown(await http.json({ method: 'POST', path: '/v1/payment_links', form: link }), PAYMENT_LINK);
  },
});
