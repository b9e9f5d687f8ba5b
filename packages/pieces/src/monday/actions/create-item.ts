import { action, dropdown } from '@drawbridge/piece-kit';
import { toColumnValues } from '../columns.js';
import { CREATE_ITEM } from '../documents.js';
import { toItem } from '../items.js';
import { board, columnValues, GROUP, name, newLabels } from '../properties.js';
import { change } from '../request.js';

/** Creates an item on a board with values of its columns: https://developer.monday.com/api-reference/reference/items#create-an-item */
export const createItem = action({
  displayName: 'Create item',
  description: 'Creates an item on a board with values of its columns, and returns it with its id.',
  category: 'write',
  adds: true,
  props: {
    board_id: board,
    item_name: name,
    group_id: dropdown('Group', GROUP),
    column_values: columnValues,
    create_labels_if_missing: newLabels,
  },
  run: async ({ http, input: { column_values: values, ...variables } }) => {
    const columns = values && { column_values: toColumnValues(values) };
    return toItem(await change(http, CREATE_ITEM, { ...variables, ...columns }));
  },
});
