import { action } from '@drawbridge/piece-kit';
import { DELETE_ITEM } from '../documents.js';
import { item } from '../properties.js';
import { change } from '../request.js';

/** Deletes an item: https://developer.monday.com/api-reference/reference/items#delete-an-item */
export const deleteItem = action({
  displayName: 'Delete item',
  description: 'Deletes an item. It can be restored from the recycle bin for 30 days.',
  category: 'delete',
  props: { item_id: item() },
  run: ({ http, input }) => change(http, DELETE_ITEM, input),
});
