import { action } from '@drawbridge/piece-kit';
import { toValues } from '../object-fields.js';
import { object, values } from '../properties.js';
import { pathOf } from '../records.js';

/** Creates a record of an object: https://developer.salesforce.com/docs/atlas.en-us.api_rest.meta/api_rest/dome_sobject_create.htm */
export const createRecord = action({
  displayName: 'Create record',
  description: 'Creates a record of an object and returns its id.',
  category: 'write',
  adds: true,
  props: { object, fields: values('createable') },
  run: ({ http, input: { object: name, fields } }) =>
    http.json({ method: 'POST', path: pathOf(name), json: toValues(fields) }),
});
