import { action } from '@drawbridge/piece-kit';
import { changedFields, place, recordId, typecast } from '../properties.js';

/** Changes fields of a record: https://airtable.com/developers/web/api/update-record */
export const updateRecord = action({
  displayName: 'Update record',
  description: 'Changes fields of a record and returns it. Omitted fields stay unchanged.',
  category: 'write',
  idempotent: true,
  props: { ...place, recordId, fields: changedFields, typecast },
  call: { method: 'PATCH', path: '/v0/{baseId}/{table}/{recordId}', body: ['fields', 'typecast'] },
});
