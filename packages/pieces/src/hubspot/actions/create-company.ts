import { action, shortText } from '@drawbridge/piece-kit';
import { further, owner } from '../properties.js';
import { createRecord, valuesOf } from '../records.js';

const TEXT = { maxLength: 1_000 } as const;

/** https://developers.hubspot.com/docs/reference/api/crm/objects/companies */
export const createCompany = action({
  displayName: 'Create company',
  description: 'Creates a company and returns its id.',
  category: 'write',
  adds: true,
  props: {
    name: shortText('Name', { ...TEXT, required: true, description: 'The name of the company.', minLength: 1 }),
    domain: shortText('Domain', { ...TEXT, description: 'The domain of its website: example.com.' }),
    phone: shortText('Phone', { ...TEXT, description: 'The phone number.' }),
    city: shortText('City', { ...TEXT, description: 'The city of the company.' }),
    hubspot_owner_id: owner,
    properties: further.companies,
  },
  run: ({ http, input }) => createRecord(http, 'companies', valuesOf(input)),
});
