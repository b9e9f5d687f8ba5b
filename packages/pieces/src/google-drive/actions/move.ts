import { action, listAt } from '@drawbridge/piece-kit';
import { ALL_DRIVES, ONE_FILE, pathOf, toFileEntry } from '../files.js';
import { file, targetFolder } from '../properties.js';

/** Moves a file from its current folder to another folder: https://developers.google.com/workspace/drive/api/guides/folder#move-files */
export const move = action({
  displayName: 'Move',
  description: 'Moves a file from its present folder to another one, and returns it.',
  category: 'write',
  idempotent: true,
  props: { file, folder: targetFolder },
  run: async ({ http, input: { file: id, folder } }) => {
    const path = pathOf(id);
    const found = await http.json({ method: 'GET', path, query: { ...ALL_DRIVES, fields: 'parents' } });
    const before = listAt(found, 'parents').filter((parent) => parent !== folder);
    const query = { ...ONE_FILE, addParents: folder, removeParents: before.length > 0 ? before.join(',') : undefined };
    return toFileEntry(await http.json({ method: 'PATCH', path, query, json: {} }));
  },
});
