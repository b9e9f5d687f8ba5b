import { action, longText } from '@drawbridge/piece-kit';
import { newFile, sendContent } from '../files.js';
import { folder, name } from '../properties.js';

const DOCUMENT = 'application/vnd.google-apps.document';

/** Creates a Google document from Markdown: https://developers.google.com/workspace/drive/api/guides/manage-uploads#import-docs */
export const createDocument = action({
  displayName: 'Create document',
  description: 'Creates a Google document from Markdown and returns its id and link.',
  category: 'write',
  adds: true,
  props: {
    name,
    content: longText('Content', {
      required: true,
      description: 'Markdown.',
      minLength: 1,
      maxLength: 1_000_000,
    }),
    folder,
  },
  run: ({ http, input: { name: title, content, folder: parent } }) =>
    sendContent(http, {
      ...{ method: 'POST', metadata: newFile(title, { folder: parent, mimeType: DOCUMENT }) },
      ...{ mimeType: 'text/markdown', bytes: Buffer.from(content) },
    }),
});
