import { action, expandPath, shortText } from '@drawbridge/piece-kit';
import { API_NAME, toValues } from '../object-fields.js';
import { object, values } from '../properties.js';
import { pathOf } from '../records.js';

/**
 * Updates the record with a value of an external id field, or creates it:
 * https://developer.salesforce.com/docs/atlas.en-us.api_rest.meta/api_rest/dome_upsert.htm
 */
export const upsertRecord = action({
  displayName: 'Create or update record',
  description: 'Updates the record with a value of an external id field, or creates it, and returns its id.',
  category: 'write',
  idempotent: true,
  props: {
    object,
    external_field: shortText('External id field', {
      required: true,
      description: 'API name of an external id field, such as Customer_Number__c.',
      pattern: API_NAME,
    }),
    external_value: shortText('Value', {
      required: true,
      description: 'The value of that field.',
      minLength: 1,
      maxLength: 255,
    }),
    fields: values('createable'),
  },
  run: ({ http, input: { object: name, external_field, external_value, fields } }) => {
    const path = pathOf(name) + expandPath('/{external_field}/{external_value}', { external_field, external_value });
    return http.json({ method: 'PATCH', path, json: toValues(fields) });
  },
});
