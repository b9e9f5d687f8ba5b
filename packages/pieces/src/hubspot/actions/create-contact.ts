import { action, shortText } from '@drawbridge/piece-kit';
import { contactFields, EMAIL, further, owner } from '../properties.js';
import { createRecord, valuesOf } from '../records.js';

/** https://developers.hubspot.com/docs/reference/api/crm/objects/contacts */
export const createContact = action({
  displayName: 'Create contact',
  description: 'Creates a contact and returns its id. It fails if the email address is taken.',
  category: 'write',
  adds: true,
  props: {
    email: shortText('Email', { ...EMAIL, required: true, description: 'The email address.' }),
    ...contactFields,
    hubspot_owner_id: owner,
    properties: further.contacts,
  },
  run: ({ http, input }) => createRecord(http, 'contacts', valuesOf(input)),
});
