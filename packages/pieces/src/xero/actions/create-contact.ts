import { action, shortText } from '@drawbridge/piece-kit';
import { ACCOUNTING, onlyOf, toContact } from '../records.js';

const TEXT = { maxLength: 255 } as const;

/** Creates a customer or supplier: https://developer.xero.com/documentation/api/accounting/contacts#post-contacts */
export const createContact = action({
  displayName: 'Create contact',
  description: 'Creates a customer or supplier and returns it. If the name is taken, that contact is updated.',
  category: 'write',
  props: {
    name: shortText('Name', {
      required: true,
      description: 'The name of the company or person.',
      minLength: 1,
      ...TEXT,
    }),
    email: shortText('Email', { description: 'The email address.', pattern: '^[^\\s@]+@[^\\s@]+$', ...TEXT }),
    first_name: shortText('First name', { description: 'Of the main person.', ...TEXT }),
    last_name: shortText('Last name', { description: 'Of the main person.', ...TEXT }),
    tax_number: shortText('Tax number', { description: 'Such as a VAT number.', maxLength: 50 }),
    account_number: shortText('Account number', { description: 'A number of your own.', maxLength: 50 }),
    phone: shortText('Phone', { description: 'The phone number.', maxLength: 50 }),
  },
  run: async ({ http, input: { name, email, first_name, last_name, tax_number, account_number, phone } }) => {
    const contact = {
      Name: name,
      ...(email && { EmailAddress: email }),
      ...(first_name && { FirstName: first_name }),
      ...(last_name && { LastName: last_name }),
      ...(tax_number && { TaxNumber: tax_number }),
      ...(account_number && { AccountNumber: account_number }),
      ...(phone && { Phones: [{ PhoneType: 'DEFAULT', PhoneNumber: phone }] }),
    };
    const json = { Contacts: [contact] };
    return toContact(onlyOf(await http.json({ method: 'POST', path: `${ACCOUNTING}/Contacts`, json }), 'Contacts'));
  },
});
