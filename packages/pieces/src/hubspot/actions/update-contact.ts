import { action, shortText } from '@drawbridge/piece-kit';
import { contactFields, email, recordId } from '../properties.js';
import { updateRecord } from '../records.js';

/** Changes properties of a contact: https://developers.hubspot.com/docs/api-reference/crm-contacts-v3/guide#update-contacts */
export const updateContact = action({
  displayName: 'Update contact',
  description: 'Changes the given properties of a contact and returns it.',
  category: 'write',
  idempotent: true,
  props: {
    contact_id: recordId('Contact', 'The id of a contact, a number.'),
    email: shortText('Email', { description: 'The new email address.', ...email }),
    ...contactFields,
  },
  run: ({ http, input: { contact_id: id, ...values } }) => updateRecord(http, { object: 'contacts', id }, values),
});
