import { action, collect, dateTime, shortText } from '@drawbridge/piece-kit';
import { itemLimit } from '../../item-limit.js';
import { googlePaging } from '../../google.js';
import { ALL_DRIVES, FILE_FIELDS, FILES, toFileEntry } from '../files.js';
import { onlyFolder } from '../properties.js';
import { toQuery } from '../query.js';

const PAGE = 100;

/** Finds files and folders: https://developers.google.com/workspace/drive/api/reference/rest/v3/files/list */
export const searchFiles = action({
  displayName: 'Search files',
  description:
    'Finds files and folders by content, name, folder, type or time. The most recently changed are first, or with a text the most relevant.',
  category: 'read',
  props: {
    text: shortText('Text', { description: 'Words in the content or the name of the files.', maxLength: 500 }),
    name: shortText('Name', { description: 'The beginning of a word of the name.', maxLength: 500 }),
    folder: onlyFolder,
    mime_type: shortText('Type', {
      description: 'Such as application/pdf or application/vnd.google-apps.folder.',
      maxLength: 200,
    }),
    modified_after: dateTime('Changed after', { description: 'Only files that changed after this time.' }),
    query: shortText('Query', {
      description: 'Drive query, such as "starred = true".',
      maxLength: 2_000,
    }),
    limit: itemLimit({ defaultsTo: 100, maximum: 1_000 }),
  },
  run: async ({ http, input: { limit = PAGE, ...wanted } }) => {
    // Drive rejects an order together with a search in the content.
    const query = {
      ...{ q: toQuery(wanted), ...ALL_DRIVES, includeItemsFromAllDrives: true, pageSize: Math.min(limit, PAGE) },
      ...(!wanted.text && { orderBy: 'modifiedTime desc' }),
      fields: `nextPageToken,files(${FILE_FIELDS})`,
    };
    const pages = http.pages({ method: 'GET', path: FILES, query }, limit, googlePaging('files'));
    return (await collect(pages)).map(toFileEntry);
  },
});
