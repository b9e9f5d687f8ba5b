import { action } from '@drawbridge/piece-kit';
import { ONE_FILE, pathOf, toFileEntry } from '../files.js';
import { file } from '../properties.js';

/** Moves a file to the trash: https://developers.google.com/workspace/drive/api/guides/delete */
export const trash = action({
  displayName: 'Move to trash',
  description: 'Moves a file to the trash, from which it can be restored for 30 days. Returns the file.',
  category: 'delete',
  idempotent: true,
  props: { file },
  run: async ({ http, input: { file: id } }) =>
    toFileEntry(await http.json({ method: 'PATCH', path: pathOf(id), query: ONE_FILE, json: { trashed: true } })),
});
