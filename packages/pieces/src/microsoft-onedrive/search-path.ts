import { expandPath } from '@drawbridge/piece-kit';
import { odataText } from '../microsoft.js';
import { itemPath, type Place } from './item.js';

/** Returns the path of a search in a folder and all below it: https://learn.microsoft.com/graph/api/driveitem-search */
export function searchPath(place: Place, query: string): string {
  return itemPath(place, 'folderId', expandPath('/search(q={query})', { query: odataText(query) }));
}
