import { action } from '@drawbridge/piece-kit';
import { toValues } from '../object-fields.js';
import { object, record, values } from '../properties.js';
import { pathOf } from '../records.js';

/** Changes fields of a record: https://developer.salesforce.com/docs/atlas.en-us.api_rest.meta/api_rest/dome_update_fields.htm */
export const updateRecord = action({
  displayName: 'Update record',
  description: 'Changes the given fields of a record. Other fields stay as they are. Returns the id.',
  category: 'write',
  idempotent: true,
  props: { object, id: record, fields: values('updateable') },
  run: async ({ http, input: { object: name, id, fields } }) => {
    await http.request({ method: 'PATCH', path: pathOf(name, id), json: toValues(fields) });
    return { id };
  },
});
