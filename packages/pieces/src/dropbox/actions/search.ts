import { action, checkbox, collect, json, member, shortText, staticDropdown } from '@drawbridge/piece-kit';
import { folder, limit } from '../properties.js';
import { cursorPaging, rpc, toEntry } from '../requests.js';

/** Finds files and folders by words of their names and contents: https://www.dropbox.com/developers/documentation/http/documentation#files-search */
export const search = action({
  displayName: 'Search',
  description: 'Finds files and folders by words of their names and contents.',
  category: 'read',
  props: {
    query: shortText('Query', { required: true, description: 'The words to find.', minLength: 1, maxLength: 1_000 }),
    folder,
    names_only: checkbox('Names only', { description: 'Does not search the contents. Defaults to false.' }),
    extensions: json('Extensions', {
      description: 'Such as ["pdf", "docx"].',
      schema: { type: 'array', maxItems: 50, items: { type: 'string', minLength: 1, maxLength: 50 } },
    }),
    order: staticDropdown('Order', ['relevance', 'last_modified_time'], {
      description: 'The order of the items. Defaults to relevance.',
    }),
    limit,
  },
  run: async ({ http, input: { query, folder: path, names_only, extensions, order, limit: count = 100 } }) => {
    const options = {
      ...(path && { path }),
      max_results: count,
      ...(names_only !== undefined && { filename_only: names_only }),
      ...(extensions && { file_extensions: extensions }),
      ...(order && { order_by: order }),
    };
    const paging = cursorPaging('matches', 'files/search/continue_v2');
    const matches = await collect(http.pages(rpc('files/search_v2', { query, options }), count, paging));
    return matches.map((match) => toEntry(member(match, 'metadata', 'metadata') ?? {}));
  },
});
