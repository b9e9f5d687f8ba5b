import { listOptions, type LoadOptions } from '@drawbridge/piece-kit';
import { googlePaging } from '../google.js';
import { ALL_DRIVES, FILES } from './files.js';
import { FOLDER, isNamed } from './query.js';

/** Lists folders, or files that are not folders, most recently changed first. */
function matching(condition: string): LoadOptions {
  return ({ http, search }) => {
    const q = [condition, 'trashed = false', ...(search ? [isNamed(search)] : [])].join(' and ');
    const query = {
      ...{ q, ...ALL_DRIVES, includeItemsFromAllDrives: true, orderBy: 'modifiedTime desc', pageSize: 100 },
      fields: 'nextPageToken,files(id,name)',
    };
    return listOptions(http, { method: 'GET', path: FILES, query }, { paging: googlePaging('files') });
  };
}

export const folders = matching(`mimeType = '${FOLDER}'`);
export const files = matching(`mimeType != '${FOLDER}'`);
