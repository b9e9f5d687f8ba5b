import { action, shortText } from '@drawbridge/piece-kit';
import { contactFields, email } from '../properties.js';
import { createRecord } from '../records.js';

/** Creates a contact: https://developers.hubspot.com/docs/api-reference/crm-contacts-v3/guide#create-contacts */
export const createContact = action({
  displayName: 'Create contact',
  description: 'Creates a contact and returns it with its id. Fails if the email address belongs to another contact.',
  category: 'write',
  adds: true,
  props: {
    email: shortText('Email', {
      required: true,
      description: 'The email address. It identifies the contact.',
      ...email,
    }),
    ...contactFields,
  },
  run: ({ http, input }) => createRecord(http, 'contacts', input),
});
