import { action, dropdown, expandPath } from '@drawbridge/piece-kit';
import { CUSTOMER, shown } from '../answers.js';
import { customers } from '../options.js';
import { CUSTOMER as ABOUT, customerFields } from '../properties.js';

/** Changes fields of a customer: https://docs.stripe.com/api/customers/update */
export const updateCustomer = action({
  displayName: 'Update customer',
  description:
    'Changes the given fields of a customer and returns the customer. Given metadata is merged with the existing one.',
  category: 'write',
  idempotent: true,
  props: {
    customer: dropdown('Customer', { required: true, description: ABOUT, options: customers }),
    ...customerFields,
  },
  run: async ({ http, input: { customer, ...form } }) => {
    const path = expandPath('/v1/customers/{customer}', { customer });
    return shown(await http.json({ method: 'POST', path, form }), CUSTOMER);
  },
});
