import { action, file as fileProperty } from '@drawbridge/piece-kit';
import { sendContent } from '../files.js';
import { file, newName } from '../properties.js';

/** Replaces the content of a file: https://developers.google.com/workspace/drive/api/reference/rest/v3/files/update */
export const updateContent = action({
  displayName: 'Update content',
  description: 'Replaces the content of a file and returns the file. Drive keeps the previous content as a revision.',
  category: 'write',
  idempotent: true,
  props: { file, content: fileProperty('Content', { required: true, description: 'The new content.' }), name: newName },
  run: ({ http, input: { file: fileId, content, name } }) =>
    sendContent(http, {
      ...{ method: 'PATCH', fileId, metadata: name === undefined ? {} : { name } },
      ...{ mimeType: content.mimeType, bytes: Buffer.from(content.base64, 'base64') },
    }),
});
