import { action, checkbox, file, shortText, staticDropdown } from '@drawbridge/piece-kit';
import { autorename } from '../properties.js';
import { contentRequest, toEntry } from '../requests.js';

/** Uploads a file of at most 150 MB to a path: https://www.dropbox.com/developers/documentation/http/documentation#files-upload */
export const upload = action({
  displayName: 'Upload',
  description: 'Uploads a file of at most 150 MB to a path, and returns its id and revision.',
  category: 'write',
  props: {
    file: file('File', { required: true, description: 'The file to upload.' }),
    path: shortText('Path', {
      description: 'Such as /Reports/May.pdf. Defaults to its name, in the top folder.',
      pattern: '^/.+$',
      maxLength: 4_000,
    }),
    mode: staticDropdown('Mode', ['add', 'overwrite'], {
      description: 'If the path exists, "add" fails or renames, "overwrite" adds a revision. Defaults to add.',
    }),
    autorename,
    mute: checkbox('Mute', { description: 'Does not notify the devices of the user. Defaults to false.' }),
  },
  run: async ({ http, input: { file: given, path = `/${given.filename}`, mode = 'add', ...options } }) => {
    const request = contentRequest('files/upload', { path, mode, ...options }, Buffer.from(given.base64, 'base64'));
    return toEntry(await http.json(request));
  },
});
