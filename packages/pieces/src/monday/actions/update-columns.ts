import { action, shortText } from '@drawbridge/piece-kit';
import { toColumnValues } from '../columns.js';
import { UPDATE_COLUMNS } from '../documents.js';
import { toItem } from '../items.js';
import { board, columnValues, item, newLabels } from '../properties.js';
import { change } from '../request.js';

/** Changes values of columns of an item, or its name: https://developer.monday.com/api-reference/reference/columns#change-multiple-column-values */
export const updateColumns = action({
  displayName: 'Update columns',
  description: 'Changes values of columns of an item, or its name, and returns the item.',
  category: 'write',
  idempotent: true,
  props: {
    board_id: board,
    item_id: item(),
    column_values: columnValues,
    name: shortText('Name', { description: 'The new name of the item.', minLength: 1, maxLength: 255 }),
    create_labels_if_missing: newLabels,
  },
  run: async ({ http, input: { column_values: values, name, ...variables } }) => {
    const column_values = toColumnValues({ ...values, ...(name && { name }) });
    return toItem(await change(http, UPDATE_COLUMNS, { ...variables, column_values }));
  },
});
