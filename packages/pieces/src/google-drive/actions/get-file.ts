import { action } from '@drawbridge/piece-kit';
import { ONE_FILE, pathOf, toFileEntry } from '../files.js';
import { file } from '../properties.js';

/** Returns the metadata of a file: https://developers.google.com/workspace/drive/api/reference/rest/v3/files/get */
export const getFile = action({
  displayName: 'Get file',
  description: 'Reads the facts of a file: its name, type, size, times, folders, owners and link.',
  category: 'read',
  props: { file },
  run: async ({ http, input: { file: id } }) =>
    toFileEntry(await http.json({ method: 'GET', path: pathOf(id), query: ONE_FILE })),
});
