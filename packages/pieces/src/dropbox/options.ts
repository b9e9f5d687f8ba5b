import { listOptions, type LoadOptions, member, textAt } from '@drawbridge/piece-kit';
import { cursorPaging, rpc } from './requests.js';

/** Lists all folders of the account: https://www.dropbox.com/developers/documentation/http/documentation#files-list_folder */
export const folders: LoadOptions = ({ http }) =>
  listOptions(http, rpc('files/list_folder', { path: '', recursive: true, limit: 2_000 }), {
    label: (entry) => (member(entry, '.tag') === 'folder' ? textAt(entry, 'path_display') : undefined),
    value: 'path_lower',
    limit: 2_000,
    paging: cursorPaging('entries', 'files/list_folder/continue'),
  });
