import { textAt, trigger } from '@drawbridge/piece-kit';
import { folder } from '../properties.js';
import { fileChanges, SAMPLE } from './changes.js';

/**
 * Runs when a file is added, changed, moved or restored:
 * https://www.dropbox.com/developers/documentation/http/documentation#files-list_folder-continue
 */
export const fileChanged = trigger({
  kind: 'app-webhook',
  displayName: 'File changed',
  description: 'Runs when a file is added, changed, moved or restored, with its path and revision.',
  props: { folder },
  sample: SAMPLE,
  ...fileChanges(async (_http, file) => {
    const [id, rev, path] = [textAt(file, 'id'), textAt(file, 'rev'), textAt(file, 'path_lower') ?? ''];
    return id && rev ? `${id} ${rev} ${path}` : undefined;
  }),
});
