import { action } from '@drawbridge/piece-kit';
import { customerFields } from '../properties.js';

/** Creates a customer for payments, subscriptions and invoices: https://docs.stripe.com/api/customers/create */
export const createCustomer = action({
  displayName: 'Create customer',
  description: 'Creates a customer for payments, subscriptions and invoices. Returns the customer with its id.',
  category: 'write',
  adds: true,
  props: customerFields,
  call: {
    method: 'POST',
    path: '/v1/customers',
    form: ['email', 'name', 'phone', 'description', 'address', 'preferred_locales', 'metadata'],
  },
});
