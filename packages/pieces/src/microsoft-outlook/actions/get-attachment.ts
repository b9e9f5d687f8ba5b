import { action, expandPath, type FileValue, InputError, textAt, toFile } from '@drawbridge/piece-kit';
import { attachmentId, messageId } from '../properties.js';

const PATH = '/v1.0/me/messages/{messageId}/attachments/{attachmentId}';

/** Returns an attachment of a message as a file: https://learn.microsoft.com/graph/api/attachment-get */
export const getAttachment = action({
  displayName: 'Get attachment',
  description: 'Reads an attachment of a message as a file. An attached message is returned in MIME format.',
  category: 'read',
  props: { messageId, attachmentId },
  run: async ({ http, input }): Promise<FileValue> => {
    const path = expandPath(PATH, input);
    const attachment = await http.json({ method: 'GET', path });
    const filename = textAt(attachment, 'name') ?? 'attachment';
    const base64 = textAt(attachment, 'contentBytes') ?? '';
    switch (textAt(attachment, '@odata.type')) {
      case '#microsoft.graph.fileAttachment':
        return { filename, mimeType: textAt(attachment, 'contentType') ?? 'application/octet-stream', base64 };
      case '#microsoft.graph.itemAttachment':
        return { ...toFile(await http.request({ method: 'GET', path: `${path}/$value` })), filename };
      default:
        throw new InputError('attachmentId', 'is a link to a file in the cloud and has no content');
    }
  },
});
