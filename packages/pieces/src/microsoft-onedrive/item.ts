import { expandPath, type JsonObject, type JsonValue, member, textAt } from '@drawbridge/piece-kit';
import { present } from '../microsoft.js';

/** The drive of an item: the drive with this id, the first drive of a site, or the drive of the user. */
export interface Place {
  driveId?: string;
  siteId?: string;
  itemId?: string;
  folderId?: string;
}

/**
 * Returns the path of the item or folder in `key`, which is an id, or a path in the drive that begins with a slash. Without it, returns the path of
 * the drive's root: https://learn.microsoft.com/graph/onedrive-addressing-driveitems
 */
export function itemPath(place: Place, key: 'itemId' | 'folderId', suffix = ''): string {
  const value = place[key] ?? '/';
  if (!value.startsWith('/')) return drivePath(place) + expandPath(`/items/{${key}}`, { [key]: value }) + suffix;
  const path = withoutSlashes(value);
  if (path === '') return `${drivePath(place)}/root${suffix}`;
  return drivePath(place) + expandPath(`/root:/{+${key}}`, { [key]: path }) + (suffix && `:${suffix}`);
}

/** Returns the path of an item by its name in a folder. */
export function childPath(place: Place, name: string, suffix: string): string {
  const { folderId = '/' } = place;
  const child = expandPath('/{name}', { name });
  if (!folderId.startsWith('/')) return `${itemPath(place, 'folderId')}:${child}:${suffix}`;
  const isRoot = withoutSlashes(folderId) === '';
  return `${itemPath(place, 'folderId')}${isRoot ? ':' : ''}${child}:${suffix}`;
}

function drivePath({ driveId, siteId }: Place): string {
  if (driveId) return expandPath('/v1.0/drives/{driveId}', { driveId });
  return siteId ? expandPath('/v1.0/sites/{siteId}/drive', { siteId }) : '/v1.0/me/drive';
}

const withoutSlashes = (path: string): string => path.replace(/^\/+/, '').replace(/\/+$/, '');

/** The fields that `toEntry` reads. Other fields include a URL that gives access to the file without a credential. */
export const FIELDS =
  'id,name,size,webUrl,file,folder,createdDateTime,lastModifiedDateTime,lastModifiedBy,parentReference';

/** Returns the fields of an item that people need: https://learn.microsoft.com/graph/api/resources/driveitem */
export function toEntry(item: JsonValue): JsonObject {
  const at = (...path: string[]) => member(item, ...path) ?? undefined;
  return present({
    id: at('id'),
    name: at('name'),
    type: at('folder') ? 'folder' : at('file') ? 'file' : 'other',
    size: at('size'),
    mimeType: at('file', 'mimeType'),
    childCount: at('folder', 'childCount'),
    webUrl: at('webUrl'),
    createdDateTime: at('createdDateTime'),
    lastModifiedDateTime: at('lastModifiedDateTime'),
    lastModifiedBy: at('lastModifiedBy', 'user', 'displayName'),
    path: pathOf(item),
    folderId: at('parentReference', 'id'),
    driveId: at('parentReference', 'driveId'),
  });
}

/** Returns the path in the drive. The reference contains the percent-encoded path of the folder, such as `/drive/root:/My%20files`. */
function pathOf(item: JsonValue): string | undefined {
  const [name, folder] = [textAt(item, 'name'), textAt(item, 'parentReference', 'path')?.split('root:')[1]];
  if (name === undefined || folder === undefined) return undefined;
  try {
    return `${decodeURIComponent(folder)}/${name}`;
  } catch {
    return undefined;
  }
}
