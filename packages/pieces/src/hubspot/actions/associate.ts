import { action, expandPath, shortText, staticDropdown } from '@drawbridge/piece-kit';
import { ID } from '../properties.js';
import { TYPES } from '../records.js';

const record = (displayName: string) =>
  shortText(displayName, { required: true, description: 'The id of a record.', pattern: ID });
const type = (displayName: string) =>
  staticDropdown(displayName, TYPES, { required: true, description: 'The type of that record.' });

/** https://developers.hubspot.com/docs/guides/api/crm/associations/associations-v4 */
export const associate = action({
  displayName: 'Associate',
  description: 'Relates two records, such as a contact and its company.',
  category: 'write',
  idempotent: true,
  props: { from_type: type('From type'), from_id: record('From'), to_type: type('To type'), to_id: record('To') },
  run: async ({ http, input }) => {
    const path = '/crm/v4/objects/{from_type}/{from_id}/associations/default/{to_type}/{to_id}';
    await http.request({ method: 'PUT', path: expandPath(path, input) });
  },
});
