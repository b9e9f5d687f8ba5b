import { action, json } from '@drawbridge/piece-kit';
import { CREATE_SUBITEM } from '../documents.js';
import { changeItem, toColumnValues } from '../items.js';
import { item, name } from '../properties.js';

/** https://developer.monday.com/api-reference/reference/subitems#create-a-subitem */
export const createSubitem = action({
  displayName: 'Create subitem',
  description: 'Creates an item below another one, and returns it.',
  category: 'write',
  adds: true,
  props: {
    parent_item_id: item,
    name,
    columns: json('Columns', {
      description: 'Values by the id of a column of the board of subitems: {"status": "Done"}.',
      schema: { type: 'object' },
    }),
  },
  run: ({ http, input: { parent_item_id, name: itemName, columns } }) =>
    changeItem(http, CREATE_SUBITEM, {
      ...{ parent: parent_item_id, name: itemName },
      ...(columns && { columns: toColumnValues(columns) }),
    }),
});
