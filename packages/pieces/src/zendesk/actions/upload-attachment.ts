import { action, file, member, textAt } from '@drawbridge/piece-kit';
import { pickFields, same } from '../../pick-fields.js';

/** Uploads a file that a comment can then attach: https://developer.zendesk.com/api-reference/ticketing/tickets/ticket-attachments/#upload-files */
export const uploadAttachment = action({
  displayName: 'Upload attachment',
  description: 'Uploads a file and returns its token, with which a comment attaches it within 60 minutes.',
  category: 'write',
  adds: true,
  props: { file: file('File', { required: true, description: 'A file of at most 50 MB.' }) },
  run: async ({ http, input: { file: given } }) => {
    const response = await http.json({
      method: 'POST',
      path: '/api/v2/uploads',
      query: { filename: given.filename },
      body: Buffer.from(given.base64, 'base64'),
      contentType: given.mimeType,
    });
    const attachment = member(response, 'upload', 'attachment') ?? null;
    return {
      token: textAt(response, 'upload', 'token') ?? null,
      ...pickFields(attachment, same('id', 'file_name', 'content_type', 'size')),
    };
  },
});
