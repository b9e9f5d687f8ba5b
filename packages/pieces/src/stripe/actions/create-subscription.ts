import { action, dropdown, number, shortText, staticDropdown } from '@drawbridge/piece-kit';
import { customers, prices, products } from '../options.js';
import { CUSTOMER, metadata } from '../properties.js';

/** https://docs.stripe.com/api/subscriptions/create */
export const createSubscription = action({
  displayName: 'Create subscription',
  description: 'Subscribes a customer to a recurring price, and charges the default payment method.',
  category: 'payment',
  recipients: ['customer'],
  props: {
    customer: dropdown('Customer', { required: true, description: CUSTOMER, options: customers }),
    product: dropdown('Product', { description: 'Lists only the prices of this product.', options: products }),
    price: dropdown('Price', {
      required: true,
      description: 'The id of a recurring price, such as price_1MoBy5LkdIwHu7ix.',
      refreshers: ['product'],
      options: prices,
    }),
    quantity: number('Quantity', { description: 'Defaults to 1.', integer: true, minimum: 1, maximum: 999_999 }),
    trial_period_days: number('Trial', {
      description: 'Days without a charge.',
      integer: true,
      minimum: 1,
      maximum: 730,
    }),
    collection_method: staticDropdown('Collection', [
      { label: 'Charge the customer', value: 'charge_automatically' },
      { label: 'Send invoices', value: 'send_invoice' },
    ]),
    days_until_due: number('Days until due', {
      description: 'Required for invoices that are sent.',
      integer: true,
      minimum: 1,
      maximum: 365,
    }),
    default_payment_method: shortText('Payment method', {
      description: 'The id of a payment method of the customer, such as pm_1MqLiJLkdIwHu7ix.',
      maxLength: 255,
    }),
    metadata,
  },
  run: ({ http, input: { product: _product, price, quantity = 1, ...form } }) =>
    http.json({ method: 'POST', path: '/v1/subscriptions', form: { ...form, items: [{ price, quantity }] } }),
});
