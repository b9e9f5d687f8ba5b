import { action, member } from '@drawbridge/piece-kit';
import { item } from '../properties.js';
import { rpc, toEntry } from '../requests.js';

/** Deletes a file, or a folder with everything in it: https://www.dropbox.com/developers/documentation/http/documentation#files-delete */
export const deleteItem = action({
  displayName: 'Delete',
  description:
    'Deletes a file, or a folder with everything in it, and returns what was deleted. It can be restored for 30 days or longer.',
  category: 'delete',
  props: { path: item },
  run: async ({ http, input }) => toEntry(member(await http.json(rpc('files/delete_v2', input)), 'metadata') ?? {}),
});
