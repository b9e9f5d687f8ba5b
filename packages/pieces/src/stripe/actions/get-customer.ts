import { action, dropdown, expandPath } from '@drawbridge/piece-kit';
import { CUSTOMER, shown } from '../answers.js';
import { customers } from '../options.js';
import { CUSTOMER as ABOUT, raw } from '../properties.js';

/** Returns a customer: https://docs.stripe.com/api/customers/retrieve */
export const getCustomer = action({
  displayName: 'Get customer',
  description: 'Reads a customer: name, addresses, balance and metadata. A deleted customer has only "deleted".',
  category: 'read',
  props: { customer: dropdown('Customer', { required: true, description: ABOUT, options: customers }), raw },
  run: async ({ http, input: { customer, raw: whole } }) => {
    const path = expandPath('/v1/customers/{customer}', { customer });
    return shown(await http.json({ method: 'GET', path }), CUSTOMER, whole);
  },
});
