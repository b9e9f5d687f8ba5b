import { action, shortText } from '@drawbridge/piece-kit';
import { raw, readPage } from '../answers.js';
import { CODE } from '../fields.js';
import { page } from '../properties.js';

/** Finds files by their content, only in default branches: https://docs.github.com/rest/search/search#search-code */
export const searchCode = action({
  displayName: 'Search code',
  description: 'Finds files by their content, in default branches only. Returns paths with the lines that match.',
  category: 'read',
  props: {
    q: shortText('Query', {
      required: true,
      description: 'Such as parseUrl repo:octocat/hello-world language:typescript.',
      minLength: 1,
    }),
    ...page,
    raw,
  },
  run: async ({ http, input: { raw: isRaw, ...query } }) => {
    // GitHub returns the matching lines only for this media type: https://docs.github.com/rest/search/search#text-match-metadata
    const headers = { accept: 'application/vnd.github.text-match+json' };
    return readPage(
      http,
      { method: 'GET', path: '/search/code', query, headers },
      { fields: CODE, isRaw, key: 'items' },
    );
  },
});
