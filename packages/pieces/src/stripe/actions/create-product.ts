import { action, checkbox, InputError, json, longText, number, shortText, staticDropdown } from '@drawbridge/piece-kit';
import { PRODUCT, shown } from '../answers.js';
import { metadata, url } from '../properties.js';

/** Creates a product: https://docs.stripe.com/api/products/create */
export const createProduct = action({
  displayName: 'Create product',
  description: 'Creates a product, perhaps with its default price, and returns it.',
  category: 'write',
  adds: true,
  props: {
    name: shortText('Name', {
      required: true,
      description: 'The name that customers see.',
      minLength: 1,
      maxLength: 5000,
    }),
    description: longText('Description', { description: 'The description that customers see.', maxLength: 40_000 }),
    unit_amount: number('Price', {
      description: 'Default price in the smallest unit: 1250 is 12.50 EUR, or 1250 JPY.',
      integer: true,
      minimum: 0,
      maximum: 99_999_999_999,
    }),
    currency: shortText('Currency', {
      description: 'Three lowercase letters, such as eur. Required for a price.',
      pattern: '^[a-z]{3}$',
    }),
    interval: staticDropdown('Interval', ['day', 'week', 'month', 'year'], {
      description: 'Defaults to a one-time price.',
    }),
    url: shortText('URL', { description: 'The public page of the product.', ...url }),
    images: json('Images', {
      description: 'URLs: ["https://acme.example/tea.png"].',
      schema: { type: 'array', maxItems: 8, items: { type: 'string', ...url } },
    }),
    active: checkbox('Active', { description: 'Whether the product can be bought. Defaults to yes.' }),
    metadata,
  },
  run: async ({ http, input: { unit_amount, currency, interval, ...form } }) => {
    if (unit_amount !== undefined && !currency) throw new InputError('currency', 'is required for a price');
    if (currency && unit_amount === undefined) throw new InputError('unit_amount', 'is required for a price');
    const recurring = interval && { recurring: { interval } };
    const price = currency &&
      unit_amount !== undefined && { default_price_data: { unit_amount, currency, ...recurring } };
    return shown(await http.json({ method: 'POST', path: '/v1/products', form: { ...form, ...price } }), PRODUCT);
  },
});
