import { action, file as fileProperty } from '@drawbridge/piece-kit';
import { newFile, sendContent } from '../files.js';
import { folder, newName } from '../properties.js';

/** Uploads a file to a folder: https://developers.google.com/workspace/drive/api/guides/manage-uploads */
export const upload = action({
  displayName: 'Upload',
  description: 'Uploads a file to a folder and returns its id and link.',
  category: 'write',
  adds: true,
  props: { file: fileProperty('File', { required: true, description: 'The file to upload.' }), folder, name: newName },
  run: ({ http, input: { file, folder: parent, name = file.filename } }) =>
    sendContent(http, {
      ...{ method: 'POST', metadata: newFile(name, { folder: parent }) },
      ...{ mimeType: file.mimeType, bytes: Buffer.from(file.base64, 'base64') },
    }),
});
