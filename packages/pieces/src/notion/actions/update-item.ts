import { action, dropdown, expandPath } from '@drawbridge/piece-kit';
import { readColumns, toProperties } from '../data-source.js';
import { toItem } from '../items.js';
import { items } from '../options.js';
import { dataSource, values } from '../properties.js';

/** Changes properties of a database item: https://developers.notion.com/reference/patch-page */
export const updateItem = action({
  displayName: 'Update item',
  description: 'Changes properties of a database item and returns it. Omitted properties stay unchanged.',
  category: 'write',
  idempotent: true,
  props: {
    data_source_id: dataSource,
    page_id: dropdown('Item', {
      required: true,
      description: "The id of the item's page.",
      refreshers: ['data_source_id'],
      options: items,
    }),
    values,
  },
  run: async ({ http, input: { data_source_id, page_id, values: given } }) => {
    const properties = toProperties(await readColumns(http, data_source_id), given);
    const path = expandPath('/v1/pages/{page_id}', { page_id });
    return toItem(await http.json({ method: 'PATCH', path, json: { properties } }));
  },
});
