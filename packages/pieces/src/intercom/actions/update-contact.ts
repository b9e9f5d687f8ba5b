import { action } from '@drawbridge/piece-kit';
import { contact, contactFields } from '../properties.js';
import { contactPath, toContact } from '../records.js';

/** Changes fields of a contact: https://developers.intercom.com/docs/references/rest-api/api.intercom.io/contacts/updatecontact */
export const updateContact = action({
  displayName: 'Update contact',
  description: 'Changes fields of a contact and returns it.',
  category: 'write',
  idempotent: true,
  props: { contact_id: contact, ...contactFields },
  run: async ({ http, input: { contact_id, ...json } }) =>
    toContact(await http.json({ method: 'PUT', path: contactPath(contact_id), json })),
});
