import { action, dropdown, expandPath, longText, shortText } from '@drawbridge/piece-kit';
import { customers } from '../options.js';
import { CUSTOMER, email, metadata } from '../properties.js';

/** https://docs.stripe.com/api/customers/update */
export const updateCustomer = action({
  displayName: 'Update customer',
  description: 'Changes a customer. A key of the metadata with an empty text is removed.',
  category: 'write',
  idempotent: true,
  props: {
    customer: dropdown('Customer', {
      required: true,
      description: CUSTOMER,
      pattern: '^cus_\\w+$',
      options: customers,
    }),
    email: shortText('Email', { description: 'Email address for receipts and invoices.', ...email }),
    name: shortText('Name', { description: 'Name of the person or company.', maxLength: 256 }),
    phone: shortText('Phone', { description: 'The phone number.', maxLength: 20 }),
    description: longText('Description', {
      description: 'Shown beside the customer in the dashboard.',
      maxLength: 5000,
    }),
    metadata,
  },
  run: ({ http, input: { customer, ...form } }) =>
    http.json({ method: 'POST', path: expandPath('/v1/customers/{customer}', { customer }), form }),
});
