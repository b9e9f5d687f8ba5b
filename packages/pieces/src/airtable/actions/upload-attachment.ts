import { action, dropdown, expandPath, file, InputError } from '@drawbridge/piece-kit';
import { fieldNames } from '../options.js';
import { CONTENT_ORIGIN } from '../origins.js';
import { place, recordId } from '../properties.js';

const MAX_BYTES = 5 * 1024 * 1024;

/** Adds a file of up to 5 MB to an attachment field of a record: https://airtable.com/developers/web/api/upload-attachment */
export const uploadAttachment = action({
  displayName: 'Upload attachment',
  description: 'Adds a file of up to 5 MB to an attachment field of a record, and returns the files of that field.',
  category: 'write',
  adds: true,
  props: {
    ...place,
    recordId,
    field: dropdown('Field', {
      required: true,
      description: 'The name or the id of an attachment field.',
      minLength: 1,
      refreshers: ['baseId', 'table'],
      options: fieldNames(({ type }) => type === 'multipleAttachments'),
    }),
    file: file('File', { required: true }),
  },
  run: async ({ http, input: { file: given, ...of } }) => {
    if (Buffer.byteLength(given.base64, 'base64') > MAX_BYTES) throw new InputError('file', 'must have at most 5 MB');
    const { filename, mimeType: contentType, base64 } = given;
    const path = CONTENT_ORIGIN + expandPath('/v0/{baseId}/{recordId}/{field}/uploadAttachment', of);
    return http.json({ method: 'POST', path, json: { contentType, file: base64, filename } });
  },
});
