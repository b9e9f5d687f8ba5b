import { action, dropdown, number, shortText, staticDropdown } from '@drawbridge/piece-kit';
import { products } from '../options.js';
import { amountOf, currency, metadata } from '../properties.js';

/** https://docs.stripe.com/api/prices/create */
export const createPrice = action({
  displayName: 'Create price',
  description: 'Gives a product a price, paid once or again and again. Prices cannot be changed later.',
  category: 'write',
  adds: true,
  props: {
    product: dropdown('Product', {
      required: true,
      description: 'The id of a product, as in prod_NWjs8kKbJWmuuc.',
      options: products,
    }),
    unit_amount: amountOf('Amount'),
    currency,
    interval: staticDropdown('Paid every', ['day', 'week', 'month', 'year'], { description: 'Once if absent.' }),
    interval_count: number('Number of intervals', {
      description: 'Between two payments: 3 with month is every quarter. 1 if absent.',
      integer: true,
      minimum: 1,
      maximum: 1095,
    }),
    nickname: shortText('Nickname', { description: 'Hidden from customers.', maxLength: 5000 }),
    lookup_key: shortText('Lookup key', { description: 'A name by which programs find it.', maxLength: 200 }),
    tax_behavior: staticDropdown('Tax', ['inclusive', 'exclusive', 'unspecified']),
    metadata,
  },
  run: async ({ http, input: { interval, interval_count, ...form } }) => {
    const recurring = interval && { recurring: { interval, ...(interval_count && { interval_count }) } };
    return http.json({ method: 'POST', path: '/v1/prices', form: { ...form, ...recurring } });
  },
});
