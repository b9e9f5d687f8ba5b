import { action, member } from '@drawbridge/piece-kit';
import { autorename, item, target } from '../properties.js';
import { rpc, toEntry } from '../requests.js';

/** Copies a file or folder to another path: https://www.dropbox.com/developers/documentation/http/documentation#files-copy */
export const copy = action({
  displayName: 'Copy',
  description: 'Copies a file or folder to another path, and returns the copy.',
  category: 'write',
  adds: true,
  props: { path: item, to_path: target, autorename },
  run: async ({ http, input: { path: from_path, ...to } }) =>
    toEntry(member(await http.json(rpc('files/copy_v2', { from_path, ...to })), 'metadata') ?? {}),
});
