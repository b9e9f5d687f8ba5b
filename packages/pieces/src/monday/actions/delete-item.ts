import { action } from '@drawbridge/piece-kit';
import { DELETE_ITEM } from '../documents.js';
import { request } from '../items.js';
import { item } from '../properties.js';

/** https://developer.monday.com/api-reference/reference/items#delete-an-item */
export const deleteItem = action({
  displayName: 'Delete item',
  description: 'Deletes an item. It can be restored from the recycle bin for 30 days.',
  category: 'delete',
  props: { item_id: item },
  run: async ({ http, input: { item_id } }) => void (await http.json(request(DELETE_ITEM, { item: item_id }))),
});
