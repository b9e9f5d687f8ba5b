import { action, file, filePart, listAt, multipart } from '@drawbridge/piece-kit';
import { pickFields, same } from '../../pick-fields.js';
import { issuePath } from '../issue.js';
import { issue } from '../properties.js';

/**
 * Attaches a file to an issue:
 * https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issue-attachments/#api-rest-api-3-issue-issueidorkey-attachments-post
 */
export const addAttachment = action({
  displayName: 'Add attachment',
  description: 'Attaches a file to an issue, and returns the attachment.',
  category: 'write',
  adds: true,
  props: { issue, file: file('File', { required: true, description: 'The file to attach.' }) },
  run: async ({ http, input: { issue: key, file: given } }) => {
    // Without this header Jira rejects the request as cross-site request forgery.
    const headers = { 'x-atlassian-token': 'no-check' };
    const form = multipart([filePart('file', given)]);
    const answer = await http.json({ method: 'POST', path: issuePath(key, '/attachments'), headers, ...form });
    return pickFields(listAt(answer)[0] ?? {}, same('id', 'filename', 'size', 'mimeType', 'content'));
  },
});
