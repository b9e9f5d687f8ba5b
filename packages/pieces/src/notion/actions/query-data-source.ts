import { action, expandPath, json, collect } from '@drawbridge/piece-kit';
import { toItem } from '../items.js';
import { dataSource, limit } from '../properties.js';

/** Lists the items of a database: https://developers.notion.com/reference/query-a-data-source */
export const queryDataSource = action({
  displayName: 'Query database',
  description: 'Lists the items of a database, with properties as plain values.',
  category: 'read',
  props: {
    data_source_id: dataSource,
    filter: json('Filter', {
      description:
        'Such as {"property": "Done", "checkbox": {"equals": true}}. Combine with {"and": […]} or {"or": […]}.',
      schema: { type: 'object' },
    }),
    sorts: json('Sort by', {
      description: 'Most important first: [{"property": "Due", "direction": "ascending"}].',
      schema: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            property: { type: 'string' },
            direction: { type: 'string', enum: ['ascending', 'descending'] },
          },
          required: ['property', 'direction'],
          additionalProperties: false,
        },
        maxItems: 20,
      },
    }),
    limit,
  },
  run: async ({ http, input: { data_source_id: id, limit: count = 100, ...query } }) => {
    const path = expandPath('/v1/data_sources/{id}/query', { id });
    const json = { ...query, page_size: Math.min(count, 100) };
    return (await collect(http.pages({ method: 'POST', path, json }, count))).map(toItem);
  },
});
