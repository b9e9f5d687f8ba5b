import { action, shortText } from '@drawbridge/piece-kit';
import { listGraph } from '../../microsoft.js';
import { FIELDS, toEntry } from '../item.js';
import { driveId, folderId, limit } from '../properties.js';
import { searchPath } from '../search-path.js';

/** Finds files and folders of a drive by name, metadata or content: https://learn.microsoft.com/graph/api/driveitem-search */
export const search = action({
  displayName: 'Search files',
  description: 'Finds files and folders of a drive by words of their name, their metadata or their content.',
  category: 'read',
  props: {
    query: shortText('Query', { required: true, description: 'Words to find.', minLength: 1, maxLength: 500 }),
    folderId: folderId.within,
    driveId,
    limit,
  },
  run: async ({ http, input: { query, limit: most, ...place } }) =>
    (await listGraph(http, searchPath(place, query), { query: { $select: FIELDS }, limit: most })).map(toEntry),
});
