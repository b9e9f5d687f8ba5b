import { action, staticDropdown } from '@drawbridge/piece-kit';
import { contactFields } from '../properties.js';
import { toContact } from '../records.js';

/** Creates a user or a lead: https://developers.intercom.com/docs/references/rest-api/api.intercom.io/contacts/createcontact */
export const createContact = action({
  displayName: 'Create contact',
  description: 'Creates a user or a lead and returns its id. A user needs an email address or an external id.',
  category: 'write',
  adds: true,
  props: {
    role: staticDropdown('Role', ['user', 'lead'], { required: true, description: 'The role of the contact.' }),
    ...contactFields,
  },
  run: async ({ http, input: json }) => toContact(await http.json({ method: 'POST', path: '/contacts', json })),
});
