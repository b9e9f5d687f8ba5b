import { action, textAt, toFile } from '@drawbridge/piece-kit';
import { file } from '../properties.js';
import { contentRequest } from '../requests.js';

/** Downloads a file: https://www.dropbox.com/developers/documentation/http/documentation#files-download */
export const download = action({
  displayName: 'Download',
  description: 'Downloads a file.',
  category: 'read',
  props: { file },
  run: async ({ http, input: { file: path } }) => {
    const answer = await http.request(contentRequest('files/download', { path }));
    return { ...toFile(answer), filename: nameIn(answer.headers['dropbox-api-result']) ?? 'file' };
  },
});

/** Returns the name in the metadata, which a header contains as JSON. */
function nameIn(header = ''): string | undefined {
  try {
    return textAt(JSON.parse(header), 'name');
  } catch {
    return undefined;
  }
}
