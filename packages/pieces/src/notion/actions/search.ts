import { action, member, shortText, staticDropdown, type JsonValue } from '@drawbridge/piece-kit';
import { collect } from '../../collect.js';
import { titleOf } from '../items.js';
import { limit } from '../properties.js';
import { toPlainText } from '../rich-text.js';

/** https://developers.notion.com/reference/post-search */
export const search = action({
  displayName: 'Search',
  description: 'Finds pages and databases that are shared with the connection, by their titles.',
  category: 'read',
  props: {
    query: shortText('Title', { description: 'A part of it. Everything if absent.', maxLength: 500 }),
    kind: staticDropdown(
      'Kind',
      [
        { label: 'Pages', value: 'page' },
        { label: 'Databases', value: 'data_source' },
      ],
      { description: 'Both if absent.' },
    ),
    order: staticDropdown(
      'Last edited',
      [
        { label: 'Newest first', value: 'descending' },
        { label: 'Oldest first', value: 'ascending' },
      ],
      { description: 'The best match first if absent.' },
    ),
    limit,
  },
  run: async ({ http, input: { query, kind, order, limit: count = 100 } }) => {
    const json = {
      ...(query && { query }),
      ...(kind && { filter: { property: 'object', value: kind } }),
      ...(order && { sort: { direction: order, timestamp: 'last_edited_time' } }),
      page_size: Math.min(count, 100),
    };
    return (await collect(http.pages({ method: 'POST', path: '/v1/search', json }, count))).map(toFound);
  },
});

function toFound(found: JsonValue): JsonValue {
  const known = ['id', 'object', 'url', 'last_edited_time'].map((key) => [key, member(found, key) ?? null]);
  return { ...Object.fromEntries(known), title: titleOf(found) || toPlainText(member(found, 'title')) };
}
