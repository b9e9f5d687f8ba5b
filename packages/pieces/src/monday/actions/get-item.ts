import { action, checkbox, listAt, ProviderError } from '@drawbridge/piece-kit';
import { GET_ITEM } from '../documents.js';
import { toItem } from '../items.js';
import { item } from '../properties.js';
import { ask } from '../request.js';

/** Returns an item with its columns and subitems: https://developer.monday.com/api-reference/reference/items#queries */
export const getItem = action({
  displayName: 'Get item',
  description: 'Reads an item with its columns and subitems, and perhaps its newest 25 updates.',
  category: 'read',
  props: {
    item_id: item(),
    updates: checkbox('Updates', { description: 'Returns the newest updates too.' }),
  },
  run: async ({ http, input: { item_id, updates = false } }) => {
    const [found] = listAt(await http.json(ask(GET_ITEM, { ids: [item_id], updates })), 'data', 'items');
    // For an id that does not exist, or that the user must not see, monday returns an empty list.
    if (!found) throw new ProviderError(`Item ${item_id} was not found`, { status: 404, code: 'NOT_FOUND' });
    return toItem(found);
  },
});
