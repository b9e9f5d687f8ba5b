import { action } from '@drawbridge/piece-kit';
import { place, recordId } from '../properties.js';

/** Deletes a record: https://airtable.com/developers/web/api/delete-record */
export const deleteRecord = action({
  displayName: 'Delete record',
  description: 'Deletes a record and returns its id.',
  category: 'delete',
  props: { ...place, recordId },
  call: { method: 'DELETE', path: '/v0/{baseId}/{table}/{recordId}' },
});
