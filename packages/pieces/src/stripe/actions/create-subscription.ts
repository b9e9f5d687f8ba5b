import { action, checkbox, dropdown, longText, number, shortText, staticDropdown } from '@drawbridge/piece-kit';
import { shown, SUBSCRIPTION } from '../answers.js';
import { customers, prices, products } from '../options.js';
import { CUSTOMER, metadata, PRICE } from '../properties.js';

/** Creates a subscription of a customer to a recurring price: https://docs.stripe.com/api/subscriptions/create */
export const createSubscription = action({
  displayName: 'Create subscription',
  description:
    'Subscribes a customer to a recurring price and returns the subscription. Charges the first payment unless there is a trial.',
  category: 'payment',
  recipients: ['customer'],
  props: {
    customer: dropdown('Customer', { required: true, description: CUSTOMER, options: customers }),
    product: dropdown('Product', { description: 'Only prices of this product.', options: products }),
    price: dropdown('Price', { required: true, description: PRICE, refreshers: ['product'], options: prices }),
    quantity: number('Quantity', { description: 'Defaults to 1.', integer: true, minimum: 1, maximum: 999_999 }),
    trial_period_days: number('Trial', {
      description: 'Free days before the first payment.',
      integer: true,
      minimum: 1,
      maximum: 730,
    }),
    collection_method: staticDropdown(
      'Collection',
      [
        { label: 'Charge the customer', value: 'charge_automatically' },
        { label: 'Send invoices', value: 'send_invoice' },
      ],
      { description: 'Defaults to charging the default payment method of the customer.' },
    ),
    days_until_due: number('Days until due', {
      description: 'Only for invoices that are sent, and required for them.',
      integer: true,
      minimum: 0,
    }),
    default_payment_method: shortText('Payment method', {
      description: 'A payment method of the customer (pm_…).',
      maxLength: 255,
    }),
    payment_behavior: staticDropdown(
      'If the payment fails',
      [
        { label: 'Create it incomplete', value: 'allow_incomplete' },
        { label: 'Wait for a confirmation', value: 'default_incomplete' },
        { label: 'Fail', value: 'error_if_incomplete' },
      ],
      { description: 'If the first payment fails. Defaults to an incomplete subscription.' },
    ),
    cancel_at_period_end: checkbox('End after a period', {
      description: 'Ends the subscription after its first period.',
    }),
    description: longText('Description', {
      description: 'Shown to the customer, such as on invoices.',
      maxLength: 500,
    }),
    metadata,
  },
  run: async ({ http, input: { product: _product, price, quantity, ...form } }) => {
    const items = [{ price, ...(quantity && { quantity }) }];
    const subscription = await http.json({ method: 'POST', path: '/v1/subscriptions', form: { ...form, items } });
    return shown(subscription, SUBSCRIPTION);
  },
});
