import { action } from '@drawbridge/piece-kit';
import { place, recordId } from '../properties.js';

/** Reads a record with the values of its fields: https://airtable.com/developers/web/api/get-record */
export const getRecord = action({
  displayName: 'Get record',
  description: 'Reads a record with the values of its fields. Empty fields are omitted.',
  category: 'read',
  props: { ...place, recordId },
  call: { method: 'GET', path: '/v0/{baseId}/{table}/{recordId}' },
});
