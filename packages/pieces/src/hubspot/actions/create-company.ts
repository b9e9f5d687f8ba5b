import { action, shortText } from '@drawbridge/piece-kit';
import { companyFields } from '../properties.js';
import { createRecord } from '../records.js';

/** Creates a company: https://developers.hubspot.com/docs/api-reference/crm-companies-v3/guide#create-companies */
export const createCompany = action({
  displayName: 'Create company',
  description: 'Creates a company and returns it with its id.',
  category: 'write',
  adds: true,
  props: {
    name: shortText('Name', {
      required: true,
      description: 'The name of the company.',
      minLength: 1,
      maxLength: 65_536,
    }),
    ...companyFields,
  },
  run: ({ http, input }) => createRecord(http, 'companies', input),
});
