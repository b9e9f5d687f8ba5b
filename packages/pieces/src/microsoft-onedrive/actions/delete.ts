import { action } from '@drawbridge/piece-kit';
import { itemPath } from '../item.js';
import { driveId, itemId } from '../properties.js';

/** Moves a file or a folder to the recycle bin: https://learn.microsoft.com/graph/api/driveitem-delete */
export const deleteItem = action({
  displayName: 'Delete',
  description: 'Moves a file or a folder with all that it contains to the recycle bin. Returns nothing.',
  category: 'delete',
  props: { itemId, driveId },
  run: async ({ http, input }) => http.json({ method: 'DELETE', path: itemPath(input, 'itemId') }),
});
