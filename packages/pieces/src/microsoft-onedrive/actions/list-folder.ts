import { action } from '@drawbridge/piece-kit';
import { listGraph } from '../../microsoft.js';
import { FIELDS, itemPath, toEntry } from '../item.js';
import { driveId, folderId, limit } from '../properties.js';

/** Lists the files and folders of a folder: https://learn.microsoft.com/graph/api/driveitem-list-children */
export const listFolder = action({
  displayName: 'List folder',
  description: 'Lists the files and folders of a folder, with their ids, sizes, times and links.',
  category: 'read',
  props: { folderId: folderId.within, driveId, limit },
  run: async ({ http, input: { limit: most, ...place } }) => {
    const path = itemPath(place, 'folderId', '/children');
    return (await listGraph(http, path, { query: { $select: FIELDS }, limit: most })).map(toEntry);
  },
});
