import { action } from '@drawbridge/piece-kit';
import { baseId } from '../properties.js';

/** Returns the tables, fields and views of a base: https://airtable.com/developers/web/api/get-base-schema */
export const getSchema = action({
  displayName: 'Get schema',
  description: 'Lists the tables of a base with their fields, the types and options of the fields, and their views.',
  category: 'read',
  props: { baseId },
  call: { method: 'GET', path: '/v0/meta/bases/{baseId}/tables' },
});
