import { expandPath, type JsonObject, listOptions, type LoadOptions, member, textAt } from '@drawbridge/piece-kit';
import { itemPath, type Place } from './item.js';
import { searchPath } from './search-path.js';

/** Lists the drives of the connected user: https://learn.microsoft.com/graph/api/drive-list */
export const drives: LoadOptions = ({ http }) =>
  listOptions(http, { method: 'GET', path: '/v1.0/me/drives', query: { $select: 'id,name' } });

/** Lists the items that Microsoft finds in the drive for the search, or the items of its root without a search. */
export function itemsOf(kind: 'all' | 'folders'): LoadOptions {
  return ({ http, input, search }) => {
    const place = placeIn(input);
    const path = search ? searchPath(place, search) : itemPath(place, 'folderId', '/children');
    const label = (item: unknown) =>
      kind === 'folders' && member(item, 'folder') === undefined ? undefined : textAt(item, 'name');
    return listOptions(http, { method: 'GET', path, query: { $select: 'id,name,folder', $top: 100 } }, { label });
  };
}

/** Lists the sites that the text finds, or without a text those that the user follows: https://learn.microsoft.com/graph/api/sites-list-followed */
export const sites: LoadOptions = ({ http, search }) =>
  listOptions(
    http,
    search
      ? { method: 'GET', path: '/v1.0/sites', query: { search } }
      : { method: 'GET', path: '/v1.0/me/followedSites' },
    { label: (site) => textAt(site, 'displayName') ?? textAt(site, 'webUrl') },
  );

/** Lists the document libraries of a site: https://learn.microsoft.com/graph/api/drive-list */
export const libraries: LoadOptions = async ({ http, input }) => {
  const siteId = textAt(input, 'siteId');
  if (!siteId) return { options: [], disabled: true };
  const path = expandPath('/v1.0/sites/{siteId}/drives', { siteId });
  return listOptions(http, { method: 'GET', path, query: { $select: 'id,name' } });
};

function placeIn(input: JsonObject): Place {
  return { driveId: textAt(input, 'driveId') ?? textAt(input, 'libraryId'), siteId: textAt(input, 'siteId') };
}
