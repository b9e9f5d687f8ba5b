import { action, checkbox, collect } from '@drawbridge/piece-kit';
import { folder, limit } from '../properties.js';
import { cursorPaging, rpc, toEntry } from '../requests.js';

/** Lists the files and folders in a folder: https://www.dropbox.com/developers/documentation/http/documentation#files-list_folder */
export const listFolder = action({
  displayName: 'List folder',
  description: 'Lists the files and folders of a folder.',
  category: 'read',
  props: {
    folder,
    recursive: checkbox('Recursive', { description: 'Also lists the folders in it. Defaults to false.' }),
    limit,
  },
  run: async ({ http, input: { folder: path = '', recursive = false, limit: count = 100 } }) => {
    const request = rpc('files/list_folder', { path, recursive, limit: count });
    const paging = cursorPaging('entries', 'files/list_folder/continue');
    return (await collect(http.pages(request, count, paging))).map(toEntry);
  },
});
