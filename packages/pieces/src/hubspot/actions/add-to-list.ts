import { action, dropdown, json } from '@drawbridge/piece-kit';
import { staticLists } from '../options.js';

/** Adds records to a static list: https://developers.hubspot.com/docs/api-reference/crm-lists-v3/guide#add-records-to-an-existing-list */
export const addToList = action({
  displayName: 'Add to list',
  description: 'Adds records to a static list. Returns the ids that were added and those that do not exist.',
  category: 'write',
  idempotent: true,
  adds: true,
  props: {
    list_id: dropdown('List', {
      required: true,
      description: 'A static list. HubSpot fills others itself.',
      pattern: '^[0-9]{1,20}$',
      options: staticLists,
    }),
    record_ids: json('Records', {
      required: true,
      description: 'Record ids of the kind of the list: ["151", "152"].',
      schema: { type: 'array', minItems: 1, maxItems: 1_000, items: { type: 'string', pattern: '^[0-9]{1,20}$' } },
    }),
  },
  call: { method: 'PUT', path: '/crm/v3/lists/{list_id}/memberships/add', whole: 'record_ids' },
});
