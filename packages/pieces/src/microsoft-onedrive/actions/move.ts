import { action } from '@drawbridge/piece-kit';
import { present } from '../../microsoft.js';
import { itemPath, toEntry } from '../item.js';
import { driveId, folderId, itemId, name } from '../properties.js';
import { targetFolder } from '../target-folder.js';

/** Moves or renames a file or folder within a drive: https://learn.microsoft.com/graph/api/driveitem-move */
export const move = action({
  displayName: 'Move or rename',
  description:
    'Moves a file or folder to another folder of the same drive, gives it another name, or both. Returns it.',
  category: 'write',
  props: { itemId, folderId: folderId.moved, name: name.moved, driveId },
  run: async ({ http, input }) => {
    const { folderId: folder, name: wanted } = input;
    const target = folder === undefined ? undefined : await targetFolder(http, input);
    const json = present({ parentReference: target && { id: target.id }, name: wanted });
    return toEntry(await http.json({ method: 'PATCH', path: itemPath(input, 'itemId'), json }));
  },
});
