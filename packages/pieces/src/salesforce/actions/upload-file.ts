import { action, file } from '@drawbridge/piece-kit';
import { recordId } from '../properties.js';
import { pathOf } from '../records.js';

/**
 * Uploads a file, and optionally attaches it to a record:
 * https://developer.salesforce.com/docs/atlas.en-us.object_reference.meta/object_reference/sforce_api_objects_contentversion.htm
 */
export const uploadFile = action({
  displayName: 'Upload file',
  description: 'Uploads a file, perhaps to a record, and returns the id of its version.',
  category: 'write',
  adds: true,
  props: {
    file: file('File', { required: true, description: 'The file to upload.' }),
    record_id: recordId('Record', 'The record of the file. Defaults to the files of the user.'),
  },
  run: ({ http, input: { file: given, record_id } }) => {
    const json = {
      ...{ Title: given.filename, PathOnClient: given.filename, VersionData: given.base64 },
      ...(record_id && { FirstPublishLocationId: record_id }),
    };
    return http.json({ method: 'POST', path: pathOf('ContentVersion'), json });
  },
});
