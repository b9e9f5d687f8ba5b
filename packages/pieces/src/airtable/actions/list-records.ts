import { action, collect, json, multiSelect } from '@drawbridge/piece-kit';
import { itemLimit } from '../../item-limit.js';
import { fieldsToReturn, formula, place, view } from '../properties.js';
import { listing } from '../records.js';

const PAGE = 100;

/** Lists the records of a table that match a formula: https://airtable.com/developers/web/api/list-records */
export const listRecords = action({
  displayName: 'List records',
  description:
    'Lists the records of a table that match a formula, with their ids and fields. Empty fields are omitted.',
  category: 'read',
  props: {
    ...place,
    view,
    filterByFormula: formula,
    fields: multiSelect('Fields', {
      ...fieldsToReturn,
      description: 'Names of the fields to return. Defaults to all.',
    }),
    sort: json('Sort by', {
      description: 'Most important first: [{"field": "Name", "direction": "desc"}].',
      schema: {
        type: 'array',
        items: {
          type: 'object',
          properties: { field: { type: 'string' }, direction: { type: 'string', enum: ['asc', 'desc'] } },
          required: ['field'],
          additionalProperties: false,
        },
      },
    }),
    limit: itemLimit({ defaultsTo: 100, maximum: 1_000 }),
  },
  run: async ({ http, input: { baseId, table, limit = PAGE, ...query } }) => {
    const request = listing({ baseId, table }, { ...query, pageSize: Math.min(limit, PAGE) });
    return collect(http.pages(request, limit));
  },
});
