import { action, shortText } from '@drawbridge/piece-kit';
import { rpc, toEntry } from '../requests.js';

/**
 * Restores an earlier revision of a file, even if the file was deleted:
 * https://www.dropbox.com/developers/documentation/http/documentation#files-restore
 */
export const restore = action({
  displayName: 'Restore',
  description: 'Makes an earlier revision of a file, also of a deleted one, the current one. Returns the file.',
  category: 'write',
  idempotent: true,
  props: {
    path: shortText('Path', {
      required: true,
      description: 'Such as /Reports/May.pdf.',
      pattern: '^/.+$',
      maxLength: 4_000,
    }),
    rev: shortText('Revision', {
      required: true,
      description: 'From "List revisions".',
      pattern: '^[0-9a-f]{9,64}$',
    }),
  },
  run: async ({ http, input }) => toEntry(await http.json(rpc('files/restore', input))),
});
