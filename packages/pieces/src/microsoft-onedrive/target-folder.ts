import { type Http, ProviderError, textAt } from '@drawbridge/piece-kit';
import { itemPath, type Place } from './item.js';

/** Returns the ids of a folder and its drive. The input may be a path, but copying and moving require ids. */
export async function targetFolder(http: Http, place: Place): Promise<{ driveId: string; id: string }> {
  const query = { $select: 'id,parentReference' };
  const folder = await http.json({ method: 'GET', path: itemPath(place, 'folderId'), query });
  const [id, driveId] = [textAt(folder, 'id'), textAt(folder, 'parentReference', 'driveId')];
  if (!id || !driveId) throw new ProviderError('Microsoft returned a folder without its id or its drive');
  return { driveId, id };
}
