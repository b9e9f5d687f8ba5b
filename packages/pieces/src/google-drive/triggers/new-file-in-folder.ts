import { newSince, textAt, trigger } from '@drawbridge/piece-kit';
import { googlePaging } from '../../google.js';
import { ALL_DRIVES, FILE_FIELDS, FILES, toFileEntry } from '../files.js';
import { targetFolder } from '../properties.js';
import { toQuery } from '../query.js';
import { SAMPLE } from './changes.js';

/** Maximum number of files that one poll reads. The next poll continues after them. */
const LIMIT = 5_000;

/** Runs when a file is created directly in a folder: https://developers.google.com/workspace/drive/api/reference/rest/v3/files/list */
export const newFileInFolder = trigger({
  kind: 'polling',
  displayName: 'New file in folder',
  description: 'Runs when a file is created directly in a folder. A file that is moved there later is no event.',
  props: { folder: targetFolder },
  sample: SAMPLE,
  poll: newSince<{ folder: string }>({
    order: 'oldest first',
    list: ({ http, input: { folder } }, since) => {
      const q = toQuery({ folder, created_from: since?.toISOString() });
      const query = {
        ...{ q, ...ALL_DRIVES, includeItemsFromAllDrives: true, orderBy: since ? 'createdTime' : 'createdTime desc' },
        ...{ pageSize: 100, fields: `nextPageToken,files(${FILE_FIELDS})` },
      };
      return http.pages({ method: 'GET', path: FILES, query }, LIMIT, googlePaging('files'));
    },
    time: (file) => textAt(file, 'createdTime'),
    id: (file) => textAt(file, 'id'),
    data: toFileEntry,
  }),
});
