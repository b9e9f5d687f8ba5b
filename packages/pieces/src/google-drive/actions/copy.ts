import { action } from '@drawbridge/piece-kit';
import { ONE_FILE, pathOf, toFileEntry } from '../files.js';
import { file, folder, newName } from '../properties.js';

/** Copies a file: https://developers.google.com/workspace/drive/api/reference/rest/v3/files/copy */
export const copy = action({
  displayName: 'Copy',
  description: 'Copies a file, perhaps to another folder and with another name, and returns the copy.',
  category: 'write',
  adds: true,
  props: { file, name: newName, folder },
  run: async ({ http, input: { file: id, name, folder: parent } }) => {
    const json = { ...(name && { name }), ...(parent && { parents: [parent] }) };
    return toFileEntry(await http.json({ method: 'POST', path: pathOf(id, '/copy'), query: ONE_FILE, json }));
  },
});
