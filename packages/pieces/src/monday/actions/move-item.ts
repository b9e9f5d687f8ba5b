import { action, dropdown } from '@drawbridge/piece-kit';
import { MOVE_ITEM } from '../documents.js';
import { toItem } from '../items.js';
import { boards } from '../options.js';
import { GROUP, ID, item } from '../properties.js';
import { change } from '../request.js';

/** Moves an item to another group of its board: https://developer.monday.com/api-reference/reference/items#move-item-to-group */
export const moveItem = action({
  displayName: 'Move item',
  description: 'Moves an item to another group of its board and returns the item.',
  category: 'write',
  idempotent: true,
  props: {
    item_id: item(),
    board_id: dropdown('Board', { description: 'Lists only the groups of this board.', pattern: ID, options: boards }),
    group_id: dropdown('Group', { required: true, ...GROUP }),
  },
  run: async ({ http, input: { item_id, group_id } }) => toItem(await change(http, MOVE_ITEM, { item_id, group_id })),
});
