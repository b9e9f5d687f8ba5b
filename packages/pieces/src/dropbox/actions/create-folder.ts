import { action, member, shortText } from '@drawbridge/piece-kit';
import { autorename } from '../properties.js';
import { rpc, toEntry } from '../requests.js';

/** Creates a folder: https://www.dropbox.com/developers/documentation/http/documentation#files-create_folder */
export const createFolder = action({
  displayName: 'Create folder',
  description: 'Creates a folder and returns its id.',
  category: 'write',
  adds: true,
  props: {
    path: shortText('Path', {
      required: true,
      description: 'Such as /Reports/2026.',
      pattern: '^/.+$',
      maxLength: 4_000,
    }),
    autorename,
  },
  run: async ({ http, input }) =>
    toEntry(member(await http.json(rpc('files/create_folder_v2', input)), 'metadata') ?? {}),
});
