import { action, InputError, textAt, toFile } from '@drawbridge/piece-kit';
import { ALL_DRIVES, pathOf } from '../files.js';
import { file } from '../properties.js';

/** The types of items that exist only in Drive and have no content. */
const GOOGLE = 'application/vnd.google-apps.';
const WITHOUT_CONTENT = [`${GOOGLE}folder`, `${GOOGLE}shortcut`];

/** Downloads a file: https://developers.google.com/workspace/drive/api/guides/manage-downloads */
export const download = action({
  displayName: 'Download',
  description: 'Downloads a file. Documents of Google have no content of their own: use "Export" for them.',
  category: 'read',
  props: { file },
  run: async ({ http, input: { file: id } }) => {
    const query = { ...ALL_DRIVES, fields: 'name,mimeType' };
    const found = await http.json({ method: 'GET', path: pathOf(id), query });
    const type = textAt(found, 'mimeType') ?? '';
    if (WITHOUT_CONTENT.includes(type)) throw new InputError('file', 'is a folder or a shortcut, which has no content');
    if (type.startsWith(GOOGLE)) throw new InputError('file', 'is a document of Google: use the action "export"');
    const content = await http.request({ method: 'GET', path: pathOf(id), query: { ...ALL_DRIVES, alt: 'media' } });
    return { ...toFile(content), filename: textAt(found, 'name') ?? id };
  },
});
