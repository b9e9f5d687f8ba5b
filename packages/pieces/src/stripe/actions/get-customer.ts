import { action, dropdown } from '@drawbridge/piece-kit';
import { customers } from '../options.js';
import { CUSTOMER } from '../properties.js';

/** https://docs.stripe.com/api/customers/retrieve */
export const getCustomer = action({
  displayName: 'Get customer',
  description: 'Reads a customer: the address, the balance, the default payment method and the metadata.',
  category: 'read',
  props: {
    customer: dropdown('Customer', {
      required: true,
      description: CUSTOMER,
      pattern: '^cus_\\w+$',
      options: customers,
    }),
  },
  call: { method: 'GET', path: '/v1/customers/{customer}' },
});
