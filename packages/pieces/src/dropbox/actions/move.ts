import { action, member } from '@drawbridge/piece-kit';
import { autorename, item, target } from '../properties.js';
import { rpc, toEntry } from '../requests.js';

/** Moves or renames a file or folder: https://www.dropbox.com/developers/documentation/http/documentation#files-move */
export const move = action({
  displayName: 'Move',
  description: 'Moves or renames a file or folder, and returns it.',
  category: 'write',
  props: { path: item, to_path: target, autorename },
  run: async ({ http, input: { path: from_path, ...to } }) =>
    toEntry(member(await http.json(rpc('files/move_v2', { from_path, ...to })), 'metadata') ?? {}),
});
