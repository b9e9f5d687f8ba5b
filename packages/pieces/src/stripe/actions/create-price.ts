import { action, dropdown, number, shortText, staticDropdown } from '@drawbridge/piece-kit';
import { products } from '../options.js';
import { amountOf, currency, metadata } from '../properties.js';

/** Creates a one-time or recurring price for a product: https://docs.stripe.com/api/prices/create */
export const createPrice = action({
  displayName: 'Create price',
  description:
    'Creates a one-time or recurring price for a product and returns it. Its amount cannot be changed later.',
  category: 'write',
  adds: true,
  props: {
    product: dropdown('Product', {
      required: true,
      description: 'The id (prod_…).',
      options: products,
    }),
    unit_amount: amountOf('Amount'),
    currency,
    interval: staticDropdown('Interval', ['day', 'week', 'month', 'year'], {
      description: 'Billing interval. Defaults to a one-time price.',
    }),
    interval_count: number('Number of intervals', {
      description: '3 with month bills quarterly. Defaults to 1.',
      integer: true,
      minimum: 1,
      maximum: 1095,
    }),
    nickname: shortText('Nickname', { description: 'Internal name, hidden from customers.', maxLength: 5000 }),
    lookup_key: shortText('Lookup key', { description: 'Your own key to look up the price.', maxLength: 200 }),
    tax_behavior: staticDropdown('Tax', ['inclusive', 'exclusive', 'unspecified']),
    metadata,
  },
  run: async ({ http, input: { interval, interval_count, ...form } }) => {
    const recurring = interval && { recurring: { interval, ...(interval_count && { interval_count }) } };
    return http.json({ method: 'POST', path: '/v1/prices', form: { ...form, ...recurring } });
  },
});
