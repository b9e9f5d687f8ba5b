import { action, number } from '@drawbridge/piece-kit';
import { ITEMS, ITEMS_WITH_UPDATES } from '../documents.js';
import { requireItem, toItem } from '../items.js';
import { item } from '../properties.js';

/** https://developer.monday.com/api-reference/reference/items#queries */
export const getItem = action({
  displayName: 'Get item',
  description: 'Reads an item with the values of its columns, and perhaps its latest updates.',
  category: 'read',
  props: {
    item_id: item,
    updates: number('Updates', {
      description: 'The number of updates (comments) to read, newest first. Defaults to 0.',
      integer: true,
      minimum: 0,
      maximum: 100,
    }),
  },
  run: async ({ http, input: { item_id, updates = 0 } }) => {
    const ids = [item_id];
    if (updates === 0) return toItem(await requireItem(http, ITEMS, { ids }));
    return toItem(await requireItem(http, ITEMS_WITH_UPDATES, { ids, updates }));
  },
});
