import { action, listAt } from '@drawbridge/piece-kit';
import { itemLimit } from '../../item-limit.js';
import { file } from '../properties.js';
import { rpc, toEntry } from '../requests.js';

/** Lists the revisions of a file: https://www.dropbox.com/developers/documentation/http/documentation#files-list_revisions */
export const listRevisions = action({
  displayName: 'List revisions',
  description: 'Lists the revisions of a file, newest first. "Restore" takes one of them.',
  category: 'read',
  props: {
    file,
    limit: itemLimit({ defaultsTo: 10, maximum: 100 }),
  },
  run: async ({ http, input: { file: path, limit = 10 } }) =>
    listAt(await http.json(rpc('files/list_revisions', { path, mode: modeOf(path), limit })), 'entries').map(toEntry),
});

const modeOf = (path: string): string => (path.startsWith('id:') ? 'id' : 'path');
