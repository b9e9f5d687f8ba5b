import { action, json } from '@drawbridge/piece-kit';
import { toColumnValues } from '../columns.js';
import { CREATE_SUBITEM } from '../documents.js';
import { toItem } from '../items.js';
import { item, name, newLabels } from '../properties.js';
import { change } from '../request.js';

/** Creates an item below another item: https://developer.monday.com/api-reference/reference/subitems#create-a-subitem */
export const createSubitem = action({
  displayName: 'Create subitem',
  description: 'Creates an item below another one and returns it. Subitems have columns of their own.',
  category: 'write',
  adds: true,
  props: {
    parent_item_id: item('Parent item'),
    item_name: name,
    column_values: json('Columns', {
      description: 'By column id of the subitems: {"status": "Done"}.',
      schema: { type: 'object' },
    }),
    create_labels_if_missing: newLabels,
  },
  run: async ({ http, input: { column_values: values, ...variables } }) => {
    const columns = values && { column_values: toColumnValues(values) };
    return toItem(await change(http, CREATE_SUBITEM, { ...variables, ...columns }));
  },
});
