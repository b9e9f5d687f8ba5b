import { action, dropdown } from '@drawbridge/piece-kit';
import { present } from '../../microsoft.js';
import { itemPath } from '../item.js';
import { drives } from '../options.js';
import { driveId, folderId, itemId, name } from '../properties.js';
import { targetFolder } from '../target-folder.js';

/** Starts copying a file or folder to a folder: https://learn.microsoft.com/graph/api/driveitem-copy */
export const copy = action({
  displayName: 'Copy',
  description:
    'Starts to copy a file or folder into a folder. Returns "monitorUrl": a GET without credentials returns the progress, and later the id of the copy.',
  category: 'write',
  adds: true,
  props: {
    itemId,
    folderId: folderId.target,
    name: name.copy,
    driveId,
    targetDriveId: dropdown('Into drive', {
      description: 'The drive of the new folder. Defaults to the same drive.',
      maxLength: 200,
      options: drives,
    }),
  },
  run: async ({ http, input }) => {
    const { driveId: drive, targetDriveId = drive, folderId: folder, name: wanted } = input;
    const parentReference = await targetFolder(http, { driveId: targetDriveId, folderId: folder });
    const path = itemPath(input, 'itemId', '/copy');
    const answer = await http.request({ method: 'POST', path, json: present({ parentReference, name: wanted }) });
    return { monitorUrl: answer.headers['location'] ?? null };
  },
});
