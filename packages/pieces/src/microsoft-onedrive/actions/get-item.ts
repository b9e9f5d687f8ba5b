import { action } from '@drawbridge/piece-kit';
import { FIELDS, itemPath, toEntry } from '../item.js';
import { driveId, itemId } from '../properties.js';

/** Returns the metadata of a file or folder: https://learn.microsoft.com/graph/api/driveitem-get */
export const getItem = action({
  displayName: 'Get item',
  description: 'Reads the name, size, times, path and link of a file or folder.',
  category: 'read',
  props: { itemId, driveId },
  run: async ({ http, input }) =>
    toEntry(await http.json({ method: 'GET', path: itemPath(input, 'itemId'), query: { $select: FIELDS } })),
});
