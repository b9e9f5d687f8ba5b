import { action } from '@drawbridge/piece-kit';
import { appendBlocks, MAX_BLOCKS, toBlocks } from '../blocks.js';
import { readColumns, toProperties } from '../data-source.js';
import { toItem } from '../items.js';
import { content, dataSource, values } from '../properties.js';

/** Adds an item with properties and page content to a database: https://developers.notion.com/reference/post-page */
export const createItem = action({
  displayName: 'Create item',
  description: 'Adds an item with properties and page content to a database, and returns it.',
  category: 'write',
  adds: true,
  props: { data_source_id: dataSource, values, content },
  run: async ({ http, input: { data_source_id, values: given, content: text } }) => {
    const properties = toProperties(await readColumns(http, data_source_id), given);
    const blocks = toBlocks(text);
    const children = blocks.length > 0 && { children: blocks.slice(0, MAX_BLOCKS) };
    const json = { parent: { type: 'data_source_id', data_source_id }, properties, ...children };
    const item = toItem(await http.json({ method: 'POST', path: '/v1/pages', json }));
    if (typeof item['id'] === 'string') await appendBlocks(http, item['id'], blocks.slice(MAX_BLOCKS));
    return item;
  },
});
