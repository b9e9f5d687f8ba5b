import { action, expandPath, shortText } from '@drawbridge/piece-kit';
import { names, objectOf } from '../properties.js';
import { shownOf, toRecord } from '../records.js';

/** Returns a record by its id or by a unique property: https://developers.hubspot.com/docs/api-reference/crm-objects-v3/guide */
export const getRecord = action({
  displayName: 'Get record',
  description: 'Reads a record by its id or by a unique property, with its associations if they are named.',
  category: 'read',
  props: {
    object: objectOf('Object'),
    id: shortText('Record', {
      required: true,
      description: 'The id, or the value of the unique property.',
      minLength: 1,
      maxLength: 255,
    }),
    id_property: shortText('Unique property', {
      description: 'A property with unique values, such as email for contacts. Defaults to the id.',
      pattern: '^[a-z0-9_]{1,100}$',
    }),
    properties: names('Properties', 'Internal names of properties to return: ["email"]. Defaults to the most used.'),
    associations: names('Associations', 'Objects to return the associated ids of: ["companies", "deals"].'),
  },
  run: async ({ http, input: { object, id, id_property, properties = shownOf(object), associations } }) => {
    const path = expandPath('/crm/v3/objects/{object}/{id}', { object, id });
    const query = { properties, associations, idProperty: id_property };
    return toRecord(await http.json({ method: 'GET', path, query }));
  },
});
