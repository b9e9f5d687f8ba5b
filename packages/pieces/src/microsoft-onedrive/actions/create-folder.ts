import { action, staticDropdown } from '@drawbridge/piece-kit';
import { itemPath, toEntry } from '../item.js';
import { driveId, folderId, name } from '../properties.js';

/** Creates a folder: https://learn.microsoft.com/graph/api/driveitem-post-children */
export const createFolder = action({
  displayName: 'Create folder',
  description: 'Creates a folder and returns it with its id and link.',
  category: 'write',
  adds: true,
  props: {
    name: name.folder,
    folderId: folderId.within,
    conflictBehavior: staticDropdown('If the name is taken', ['fail', 'rename'], { description: 'Defaults to fail.' }),
    driveId,
  },
  run: async ({ http, input: { name: wanted, conflictBehavior = 'fail', ...place } }) => {
    const json = { name: wanted, folder: {}, '@microsoft.graph.conflictBehavior': conflictBehavior };
    return toEntry(await http.json({ method: 'POST', path: itemPath(place, 'folderId', '/children'), json }));
  },
});
