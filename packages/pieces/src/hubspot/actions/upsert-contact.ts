import { action, listAt, shortText } from '@drawbridge/piece-kit';
import { contactFields, EMAIL, further, owner } from '../properties.js';
import { objectPath, toProperties, toRecord, valuesOf } from '../records.js';

/** https://developers.hubspot.com/docs/guides/api/crm/objects/contacts#upsert-contacts */
export const upsertContact = action({
  displayName: 'Create or update contact',
  description: 'Creates the contact with an email address, or changes it if it exists.',
  category: 'write',
  idempotent: true,
  props: {
    email: shortText('Email', { ...EMAIL, required: true, description: 'The email address.' }),
    ...contactFields,
    hubspot_owner_id: owner,
    properties: further.contacts,
  },
  run: async ({ http, input: { email, ...values } }) => {
    const inputs = [{ id: email, idProperty: 'email', properties: toProperties(valuesOf(values)) }];
    const answer = await http.json({ method: 'POST', path: objectPath('contacts', '/batch/upsert'), json: { inputs } });
    return toRecord(listAt(answer, 'results')[0] ?? {});
  },
});
