import { action, type FileValue, InputError, member, textAt } from '@drawbridge/piece-kit';
import { itemPath } from '../item.js';
import { driveId, itemId } from '../properties.js';

/** A larger file does not fit in the output of an action as base64. */
const MAX_BYTES = 6_000_000;

/**
 * Downloads a file. The request redirects to another origin, which does not receive the credential:
 * https://learn.microsoft.com/graph/api/driveitem-get-content
 */
export const download = action({
  displayName: 'Download',
  description: 'Reads the content of a file of at most 6 MB.',
  category: 'read',
  props: { itemId, driveId },
  run: async ({ http, input }): Promise<FileValue> => {
    const query = { $select: 'id,name,size,file' };
    const item = await http.json({ method: 'GET', path: itemPath(input, 'itemId'), query });
    if (member(item, 'file') === undefined) throw new InputError('itemId', 'is not a file');
    const size = Number(member(item, 'size') ?? 0);
    if (size > MAX_BYTES) throw new InputError('itemId', `has ${size} bytes, more than the ${MAX_BYTES} that fit`);

    const { body } = await http.request({ method: 'GET', path: itemPath(input, 'itemId', '/content') });
    return {
      filename: textAt(item, 'name') ?? 'file',
      mimeType: textAt(item, 'file', 'mimeType') ?? 'application/octet-stream',
      base64: Buffer.from(body).toString('base64'),
    };
  },
});
