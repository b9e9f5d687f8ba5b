import { action, json, longText, shortText } from '@drawbridge/piece-kit';
import { email, metadata } from '../properties.js';

const ADDRESS_LINE = { type: 'string', maxLength: 5000 } as const;

/** https://docs.stripe.com/api/customers/create */
export const createCustomer = action({
  displayName: 'Create customer',
  description: 'Creates a customer for payments, subscriptions and invoices. Returns the customer with its id.',
  category: 'write',
  adds: true,
  props: {
    email: shortText('Email', { description: 'Email address for receipts and invoices.', ...email }),
    name: shortText('Name', { description: 'Name of the person or company.', maxLength: 256 }),
    phone: shortText('Phone', { maxLength: 20 }),
    description: longText('Description', {
      description: 'Shown beside the customer in the dashboard.',
      maxLength: 5000,
    }),
    address: json('Address', {
      description: 'Any of line1, line2, city, state, postal_code and country (two letters, such as DE).',
      schema: {
        type: 'object',
        properties: {
          line1: ADDRESS_LINE,
          line2: ADDRESS_LINE,
          city: ADDRESS_LINE,
          state: ADDRESS_LINE,
          postal_code: ADDRESS_LINE,
          country: { type: 'string', pattern: '^[A-Z]{2}$' },
        },
        additionalProperties: false,
      },
    }),
    preferred_locales: json('Languages', {
      description: 'Language tags, the preferred first: ["de", "en"].',
      schema: { type: 'array', items: { type: 'string', maxLength: 35 }, maxItems: 10 },
    }),
    metadata,
  },
  call: {
    method: 'POST',
    path: '/v1/customers',
    form: ['email', 'name', 'phone', 'description', 'address', 'preferred_locales', 'metadata'],
  },
});
