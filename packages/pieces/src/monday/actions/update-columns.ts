import { action } from '@drawbridge/piece-kit';
import { UPDATE_COLUMNS } from '../documents.js';
import { changeItem, toColumnValues } from '../items.js';
import { board, item, newColumns, newLabels } from '../properties.js';

/** https://developer.monday.com/api-reference/reference/columns#change-multiple-column-values */
export const updateColumns = action({
  displayName: 'Update columns',
  description: 'Changes values of the columns of an item, and returns it. Its name is the column "name".',
  category: 'write',
  idempotent: true,
  props: { board_id: board, item_id: item, columns: newColumns, create_labels: newLabels },
  run: ({ http, input: { board_id, item_id, columns, create_labels } }) =>
    changeItem(http, UPDATE_COLUMNS, {
      ...{ board: board_id, item: item_id, columns: toColumnValues(columns) },
      ...(create_labels !== undefined && { labels: create_labels }),
    }),
});
