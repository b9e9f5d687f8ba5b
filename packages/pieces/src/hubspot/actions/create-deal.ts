import { action, shortText } from '@drawbridge/piece-kit';
import { associationsOf } from '../associations.js';
import { associated, dealFields } from '../properties.js';
import { createRecord } from '../records.js';

/** Creates a deal: https://developers.hubspot.com/docs/api-reference/crm-deals-v3/guide#create-deals */
export const createDeal = action({
  displayName: 'Create deal',
  description: 'Creates a deal, perhaps for contacts and companies, and returns it with its id.',
  category: 'write',
  adds: true,
  props: {
    dealname: shortText('Name', {
      required: true,
      description: 'The name of the deal.',
      minLength: 1,
      maxLength: 65_536,
    }),
    ...dealFields,
    ...associated,
  },
  run: ({ http, input: { contact_ids, company_ids, ...values } }) =>
    createRecord(http, 'deals', values, associationsOf('deals', { contact_ids, company_ids })),
});
