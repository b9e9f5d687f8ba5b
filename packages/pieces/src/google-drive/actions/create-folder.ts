import { action } from '@drawbridge/piece-kit';
import { FILES, newFile, ONE_FILE, toFileEntry } from '../files.js';
import { folder, name } from '../properties.js';
import { FOLDER } from '../query.js';

/** Creates a folder: https://developers.google.com/workspace/drive/api/guides/folder */
export const createFolder = action({
  displayName: 'Create folder',
  description: 'Creates a folder and returns its id and link.',
  category: 'write',
  adds: true,
  props: { name, folder },
  run: async ({ http, input: { name: title, folder: parent } }) => {
    const json = newFile(title, { folder: parent, mimeType: FOLDER });
    return toFileEntry(await http.json({ method: 'POST', path: FILES, query: ONE_FILE, json }));
  },
});
