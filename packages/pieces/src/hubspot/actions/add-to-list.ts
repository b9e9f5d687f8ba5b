import { action, expandPath, json, shortText } from '@drawbridge/piece-kit';
import { pickFields, same } from '../../pick-fields.js';
import { ID } from '../properties.js';

/** https://developers.hubspot.com/docs/reference/api/crm/lists/memberships */
export const addToList = action({
  displayName: 'Add to list',
  description: 'Adds contacts to a static list.',
  category: 'write',
  idempotent: true,
  props: {
    list_id: shortText('List', { required: true, description: 'The id of a static list.', pattern: ID }),
    record_ids: json('Records', {
      required: true,
      description: 'The ids of contacts: ["101", "102"].',
      schema: { type: 'array', minItems: 1, maxItems: 1_000, items: { type: 'string', pattern: ID } },
    }),
  },
  run: async ({ http, input: { list_id, record_ids } }) => {
    const path = expandPath('/crm/v3/lists/{list_id}/memberships/add', { list_id });
    const answer = await http.json({ method: 'PUT', path, json: record_ids });
    return pickFields(answer, { ...same('recordIdsMissing'), added: 'recordsIdsAdded' });
  },
});
