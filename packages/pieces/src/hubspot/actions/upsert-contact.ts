import { action, listAt, member, ProviderError, shortText, textAt } from '@drawbridge/piece-kit';
import { contactFields, email } from '../properties.js';
import { toRecord, toValues } from '../records.js';

/**
 * Updates the contact with an email address, or creates it: https://developers.hubspot.com/docs/api-reference/crm-contacts-v3/guide#upsert-contacts
 */
export const upsertContact = action({
  displayName: 'Create or update contact',
  description:
    'Updates the contact with an email address, or creates it, and returns it. "new" says whether it was created.',
  category: 'write',
  idempotent: true,
  props: {
    email: shortText('Email', { required: true, description: 'The email address of the contact.', ...email }),
    ...contactFields,
  },
  run: async ({ http, input: { email: id, ...values } }) => {
    const inputs = [{ id, idProperty: 'email', properties: toValues(values) }];
    const answer = await http.json({ method: 'POST', path: '/crm/v3/objects/contacts/batch/upsert', json: { inputs } });
    const [contact] = listAt(answer, 'results');
    // A batch that failed in part has the status 207, and its errors in addition to the results.
    if (!contact)
      throw new ProviderError(textAt(answer, 'errors', 0, 'message') ?? 'HubSpot did not store the contact');
    return { ...toRecord(contact), new: member(contact, 'new') ?? null };
  },
});
