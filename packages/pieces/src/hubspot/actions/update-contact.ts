import { action, shortText } from '@drawbridge/piece-kit';
import { contactFields, EMAIL, further, owner, recordId } from '../properties.js';
import { updateRecord, valuesOf } from '../records.js';

/** https://developers.hubspot.com/docs/reference/api/crm/objects/contacts */
export const updateContact = action({
  displayName: 'Update contact',
  description: 'Changes properties of a contact.',
  category: 'write',
  idempotent: true,
  props: {
    contact_id: recordId,
    email: shortText('Email', { ...EMAIL, description: 'The new email address.' }),
    ...contactFields,
    hubspot_owner_id: owner,
    properties: further.contacts,
  },
  run: ({ http, input: { contact_id, ...values } }) => updateRecord(http, ['contacts', contact_id], valuesOf(values)),
});
