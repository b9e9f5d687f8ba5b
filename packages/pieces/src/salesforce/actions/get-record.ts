import { action } from '@drawbridge/piece-kit';
import { fieldNames, object, record } from '../properties.js';
import { pathOf, toRecord } from '../records.js';

/** Returns a record by its id: https://developer.salesforce.com/docs/atlas.en-us.api_rest.meta/api_rest/dome_get_field_values.htm */
export const getRecord = action({
  displayName: 'Get record',
  description: 'Reads a record by its id: the given fields, or all.',
  category: 'read',
  props: { object, id: record, fields: fieldNames },
  run: async ({ http, input: { object: name, id, fields } }) =>
    toRecord(await http.json({ method: 'GET', path: pathOf(name, id), query: { fields: fields?.join(',') } })),
});
