import { action } from '@drawbridge/piece-kit';
import { MOVE_ITEM } from '../documents.js';
import { changeItem } from '../items.js';
import { board, item, targetGroup } from '../properties.js';

/** https://developer.monday.com/api-reference/reference/items#move-item-to-group */
export const moveItem = action({
  displayName: 'Move item',
  description: 'Moves an item to another group of its board.',
  category: 'write',
  idempotent: true,
  props: { board_id: board, item_id: item, group_id: targetGroup },
  run: ({ http, input: { item_id, group_id } }) => changeItem(http, MOVE_ITEM, { item: item_id, group: group_id }),
});
