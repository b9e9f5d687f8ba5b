import { action, member, shortText, staticDropdown, type JsonValue, collect } from '@drawbridge/piece-kit';
import { titleOf } from '../items.js';
import { limit } from '../properties.js';
import { toPlainText } from '../rich-text.js';

/** Finds pages and databases by title: https://developers.notion.com/reference/post-search */
export const search = action({
  displayName: 'Search',
  description: 'Finds pages and databases by title. Only those shared with the connection are found.',
  category: 'read',
  props: {
    query: shortText('Title', { description: 'Part of the title. Defaults to everything.', maxLength: 500 }),
    kind: staticDropdown(
      'Kind',
      [
        { label: 'Pages', value: 'page' },
        { label: 'Databases', value: 'data_source' },
      ],
      { description: 'Defaults to both.' },
    ),
    order: staticDropdown(
      'Last edited',
      [
        { label: 'Newest first', value: 'descending' },
        { label: 'Oldest first', value: 'ascending' },
      ],
      { description: 'Defaults to the best match first.' },
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
