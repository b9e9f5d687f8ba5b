import { action, fieldParts, file, filePart, member, multipart } from '@drawbridge/piece-kit';
import { ATTACHMENT } from '../answer-fields.js';
import { formWorkspace, task } from '../properties.js';

/** Attaches a file to a task: https://developers.asana.com/reference/createattachmentforobject */
export const uploadAttachment = action({
  displayName: 'Upload attachment',
  description: 'Attaches a file to a task and returns the attachment with its URLs.',
  category: 'write',
  adds: true,
  props: { workspace: formWorkspace, task, file: file('File', { required: true }) },
  run: async ({ http, input: { task: parent, file: given } }) => {
    const named = { ...given, filename: toAscii(given.filename) };
    const response = await http.json({
      method: 'POST',
      path: '/api/1.0/attachments',
      query: { opt_fields: ATTACHMENT },
      ...multipart([...fieldParts({ parent }), filePart('file', named)]),
    });
    return member(response, 'data');
  },
});

/** Asana decodes a percent-encoded file name. Names in ASCII are sent unchanged. */
const toAscii = (name: string): string => (/^[\x20-\x7e]*$/.test(name) ? name : encodeURIComponent(name));
