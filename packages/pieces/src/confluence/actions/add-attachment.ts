import { action, expandPath, file, filePart, listAt, multipart } from '@drawbridge/piece-kit';
import { pickFields } from '../../pick-fields.js';
import { V1 } from '../pages.js';
import { page } from '../properties.js';

const ATTACHMENT = { id: 'id', title: 'title', size: 'extensions.fileSize', mediaType: 'extensions.mediaType' };

/**
 * Attaches a file to a page:
 * https://developer.atlassian.com/cloud/confluence/rest/v1/api-group-content---attachments/#api-wiki-rest-api-content-id-child-attachment-put
 */
export const addAttachment = action({
  displayName: 'Add attachment',
  description: 'Attaches a file to a page, and returns the attachment. A file of the same name gets a new version.',
  category: 'write',
  props: { page, file: file('File', { required: true, description: 'The file to attach.' }) },
  run: async ({ http, input: { page: id, file: given } }) => {
    const path = expandPath(`${V1}/content/{id}/child/attachment`, { id });
    // Without this header Confluence rejects the request as cross-site request forgery.
    const headers = { 'x-atlassian-token': 'nocheck' };
    const answer = await http.json({ method: 'PUT', path, headers, ...multipart([filePart('file', given)]) });
    return pickFields(listAt(answer, 'results')[0] ?? {}, ATTACHMENT);
  },
});
