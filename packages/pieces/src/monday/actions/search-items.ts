import { action, collect, json, shortText, staticDropdown } from '@drawbridge/piece-kit';
import { SEARCH_ITEMS } from '../documents.js';
import { toItem } from '../items.js';
import { itemsPaging, PAGE } from '../paging.js';
import { board, limit } from '../properties.js';
import { ask } from '../request.js';

const OPERATORS = [
  ...['any_of', 'not_any_of', 'is_empty', 'is_not_empty', 'contains_text', 'not_contains_text', 'contains_terms'],
  ...['starts_with', 'ends_with', 'greater_than', 'greater_than_or_equals', 'lower_than', 'lower_than_or_equal'],
  ...['between', 'within_the_next', 'within_the_last'],
];

/** Finds items of a board by their name and by conditions on columns: https://developer.monday.com/api-reference/reference/items-page */
export const searchItems = action({
  displayName: 'Search items',
  description: 'Finds items of a board by their name and by conditions on columns. Without either, lists all items.',
  category: 'read',
  props: {
    board_id: board,
    text: shortText('Name contains', { description: 'Text in the name of an item.', minLength: 1, maxLength: 255 }),
    rules: json('Conditions', {
      description:
        'All must match: [{"column_id": "status", "operator": "any_of", "compare_value": [1]}]. A status is compared ' +
        'by its label index.',
      schema: {
        type: 'array',
        maxItems: 20,
        items: {
          type: 'object',
          properties: {
            column_id: { type: 'string', minLength: 1, maxLength: 100 },
            operator: { type: 'string', enum: OPERATORS },
            compare_value: {},
            compare_attribute: { type: 'string', maxLength: 100 },
          },
          required: ['column_id', 'operator', 'compare_value'],
          additionalProperties: false,
        },
      },
    }),
    sort_by: shortText('Sort by', { description: 'The id of a column, such as name or date4.', maxLength: 100 }),
    sort_order: staticDropdown('Order', ['asc', 'desc'], { description: 'Defaults to asc.' }),
    limit,
  },
  run: async ({ http, input: { board_id, text, rules = [], sort_by, sort_order = 'asc', limit: count = 50 } }) => {
    const named = text ? [{ column_id: 'name', operator: 'contains_text', compare_value: [text] }] : [];
    const query_params = {
      ...(named.length + rules.length > 0 && { operator: 'and', rules: [...named, ...rules] }),
      ...(sort_by && { order_by: [{ column_id: sort_by, direction: sort_order }] }),
    };
    const variables = { board_id, limit: Math.min(count, PAGE), query_params };
    return (await collect(http.pages(ask(SEARCH_ITEMS, variables), count, itemsPaging))).map(toItem);
  },
});
