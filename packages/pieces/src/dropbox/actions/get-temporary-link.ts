import { action, member, textAt } from '@drawbridge/piece-kit';
import { file } from '../properties.js';
import { rpc, toEntry } from '../requests.js';

/**
 * Returns a public URL of a file that is valid for four hours:
 * https://www.dropbox.com/developers/documentation/http/documentation#files-get_temporary_link
 */
export const getTemporaryLink = action({
  displayName: 'Get temporary link',
  description: 'Returns a URL from which everyone can download a file for four hours.',
  category: 'read',
  props: { file },
  run: async ({ http, input: { file: path } }) => {
    const answer = await http.json(rpc('files/get_temporary_link', { path }));
    return { link: textAt(answer, 'link') ?? null, file: toEntry(member(answer, 'metadata') ?? {}) };
  },
});
