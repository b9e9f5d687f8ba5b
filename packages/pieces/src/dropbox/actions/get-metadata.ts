import { action } from '@drawbridge/piece-kit';
import { item } from '../properties.js';
import { rpc, toEntry } from '../requests.js';

/** Returns the metadata of a file or folder: https://www.dropbox.com/developers/documentation/http/documentation#files-get_metadata */
export const getMetadata = action({
  displayName: 'Get metadata',
  description: 'Reads the facts of a file or folder: its id, name, path, size, revision and times.',
  category: 'read',
  props: { path: item },
  run: async ({ http, input }) => toEntry(await http.json(rpc('files/get_metadata', input))),
});
