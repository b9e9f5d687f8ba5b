import { action } from '@drawbridge/piece-kit';
import { listGraph } from '../../microsoft.js';
import { FIELDS, itemPath, toEntry } from '../item.js';
import { libraryFolderId, libraryId, limit, siteId } from '../properties.js';

/** Lists the files and folders of a SharePoint site: https://learn.microsoft.com/graph/api/driveitem-list-children */
export const listSiteFiles = action({
  displayName: 'List site files',
  description: 'Lists the files and folders of a SharePoint site. Use the driveId of an item for the other actions.',
  category: 'read',
  props: { siteId, libraryId, folderId: libraryFolderId, limit },
  run: async ({ http, input: { siteId: site, libraryId: driveId, folderId, limit: most } }) => {
    const path = itemPath({ siteId: site, driveId, folderId }, 'folderId', '/children');
    return (await listGraph(http, path, { query: { $select: FIELDS }, limit: most })).map(toEntry);
  },
});
