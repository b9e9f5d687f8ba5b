import { action, file, staticDropdown } from '@drawbridge/piece-kit';
import { childPath, toEntry } from '../item.js';
import { driveId, folderId, name } from '../properties.js';

/** Uploads a file. The endpoint accepts up to 250 MB, more than an input can contain: https://learn.microsoft.com/graph/api/driveitem-put-content */
export const upload = action({
  displayName: 'Upload',
  description:
    'Writes a file to a folder, and replaces a file of the same name. Returns the file with its id and link.',
  category: 'write',
  props: {
    file: file('File', { required: true }),
    folderId: folderId.within,
    name: name.file,
    // The values are those of the documentation: https://learn.microsoft.com/graph/api/resources/driveitem#instance-attributes
    conflictBehavior: staticDropdown('If the name is taken', ['replace', 'rename', 'fail'], {
      description: 'Defaults to replace, which keeps the old content as a version.',
    }),
    driveId,
  },
  run: async ({ http, input: { file: given, name: wanted = given.filename, conflictBehavior, ...place } }) =>
    toEntry(
      await http.json({
        method: 'PUT',
        path: childPath(place, wanted, '/content'),
        query: { '@microsoft.graph.conflictBehavior': conflictBehavior },
        body: Buffer.from(given.base64, 'base64'),
        contentType: given.mimeType,
      }),
    ),
});
