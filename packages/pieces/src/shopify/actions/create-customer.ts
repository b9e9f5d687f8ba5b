import { action, member, shortText } from '@drawbridge/piece-kit';
import { CREATE_CUSTOMER } from '../documents.js';
import { note, tags } from '../properties.js';
import { toCustomer } from '../records.js';
import { mutate } from '../requests.js';

const TEXT = { maxLength: 255 } as const;

/** Creates a customer: https://shopify.dev/docs/api/admin-graphql/latest/mutations/customerCreate */
export const createCustomer = action({
  displayName: 'Create customer',
  description: 'Creates a customer, who needs a name, an email address or a phone number. Returns the customer.',
  category: 'write',
  adds: true,
  props: {
    email: shortText('Email', { ...TEXT, description: 'The email address.', pattern: '^[^\\s@]+@[^\\s@]+$' }),
    first_name: shortText('First name', { ...TEXT, description: 'The first name.' }),
    last_name: shortText('Last name', { ...TEXT, description: 'The last name.' }),
    phone: shortText('Phone', { ...TEXT, description: 'With the country code: +16465555555.' }),
    note,
    tags,
  },
  run: async ({ http, input: { first_name, last_name, ...given } }) => {
    const input = {
      ...given,
      ...(first_name && { firstName: first_name }),
      ...(last_name && { lastName: last_name }),
    };
    return toCustomer(member(await mutate(http, CREATE_CUSTOMER, { input }), 'customer') ?? {});
  },
});
