import { action, json, staticMultiSelect } from '@drawbridge/piece-kit';
import { objectType, recordId } from '../properties.js';
import { objectPath, toRecord, TYPES } from '../records.js';

/** https://developers.hubspot.com/docs/reference/api/crm/objects/objects */
export const getRecord = action({
  displayName: 'Get record',
  description: 'Reads a contact, company, deal or ticket, perhaps with the ids of its related records.',
  category: 'read',
  props: {
    object_type: objectType,
    record_id: recordId,
    properties: json('Properties', {
      description: 'The properties to return: ["email", "phone"]. Absent: the default ones.',
      schema: { type: 'array', maxItems: 100, items: { type: 'string', pattern: '^[a-z][a-z0-9_]{0,199}$' } },
    }),
    associations: staticMultiSelect('Related', TYPES, { description: 'The types of related records to return.' }),
  },
  run: async ({ http, input: { object_type, record_id, properties, associations } }) => {
    const query = { properties: properties?.join(','), associations: associations?.join(',') };
    return toRecord(
      await http.json({ method: 'GET', path: objectPath(object_type, '/{record_id}', { record_id }), query }),
    );
  },
});
