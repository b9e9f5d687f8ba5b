import { action } from '@drawbridge/piece-kit';
import { CREATE_ITEM } from '../documents.js';
import { changeItem, toColumnValues } from '../items.js';
import { board, columns, group, name, newLabels } from '../properties.js';

/** https://developer.monday.com/api-reference/reference/items#create-an-item */
export const createItem = action({
  displayName: 'Create item',
  description: 'Creates an item on a board, with values of its columns, and returns it.',
  category: 'write',
  adds: true,
  props: { board_id: board, name, group_id: group, columns, create_labels: newLabels },
  run: ({ http, input: { board_id, name: itemName, group_id, columns: values, create_labels } }) =>
    changeItem(http, CREATE_ITEM, {
      ...{ board: board_id, name: itemName },
      ...(group_id && { group: group_id }),
      ...(values && { columns: toColumnValues(values) }),
      ...(create_labels !== undefined && { labels: create_labels }),
    }),
});
