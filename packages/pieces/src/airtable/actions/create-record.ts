import { action } from '@drawbridge/piece-kit';
import { newFields, place, typecast } from '../properties.js';

/** Adds a record to a table: https://airtable.com/developers/web/api/create-records */
export const createRecord = action({
  displayName: 'Create record',
  description: 'Adds a record to a table and returns it with its id.',
  category: 'write',
  adds: true,
  props: { ...place, fields: newFields, typecast },
  call: { method: 'POST', path: '/v0/{baseId}/{table}', body: ['fields', 'typecast'] },
});
