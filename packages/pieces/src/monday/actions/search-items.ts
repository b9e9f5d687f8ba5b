import { action, collect, dropdown, listAt, member, type Paging, shortText, textAt } from '@drawbridge/piece-kit';
import { NEXT_ITEMS, SEARCH } from '../documents.js';
import { request, toItem } from '../items.js';
import { columns } from '../options.js';
import { board, limit } from '../properties.js';

const PAGE = 100;

/** https://developer.monday.com/api-reference/reference/items-page */
export const searchItems = action({
  displayName: 'Search items',
  description: 'Finds items of a board by a text in their name or in a column.',
  category: 'read',
  props: {
    board_id: board,
    text: shortText('Text', { description: 'A text that the column contains. Absent: all items.', maxLength: 500 }),
    column_id: dropdown('Column', {
      description: 'The id of the column to search. Defaults to the name.',
      pattern: '^[A-Za-z0-9_]{1,100}$',
      options: columns,
      refreshers: ['board_id'],
    }),
    limit,
  },
  run: async ({ http, input: { board_id, text, column_id = 'name', limit: count = 50 } }) => {
    const size = Math.min(count, PAGE);
    const rules = text ? [{ column_id, compare_value: [text], operator: 'contains_text' }] : [];
    const items = http.pages(request(SEARCH, { boards: [board_id], limit: size, rules }), count, itemPages(size));
    return (await collect(items)).map(toItem);
  },
});

/** The first page is that of a board, and the others have a query of their own. */
function itemPages(size: number): Paging {
  const page = (body: Parameters<Paging['items']>[0]) =>
    member(body, 'data', 'next_items_page') ?? member(listAt(body, 'data', 'boards')[0], 'items_page');
  return {
    items: (body) => listAt(page(body) ?? {}, 'items'),
    next: ({ body }) => {
      const cursor = textAt(page(body) ?? {}, 'cursor');
      return cursor ? request(NEXT_ITEMS, { cursor, limit: size }) : undefined;
    },
  };
}
