import { action, shortText, staticDropdown } from '@drawbridge/piece-kit';
import { rawByDefault, readPage } from '../answers.js';
import { ISSUE_ITEM } from '../fields.js';
import { page } from '../properties.js';

/** Finds issues and pull requests by words and qualifiers: https://docs.github.com/rest/search/search#search-issues-and-pull-requests */
export const searchIssues = action({
  displayName: 'Search issues',
  description: 'Finds issues and pull requests by words and qualifiers.',
  category: 'read',
  props: {
    q: shortText('Query', {
      required: true,
      description: 'Such as crash repo:octocat/hello-world is:issue is:open.',
      minLength: 1,
    }),
    sort: staticDropdown('Sort by', ['comments', 'reactions', 'interactions', 'created', 'updated'], {
      description: 'Defaults to the best match.',
    }),
    order: staticDropdown('Order', ['desc', 'asc']),
    ...page,
    raw: rawByDefault,
  },
  run: async ({ http, input: { raw = true, q, sort, order, per_page, page } }) => {
    const request = { method: 'GET', path: '/search/issues', query: { q, sort, order, per_page, page } };
    return raw ? http.json(request) : readPage(http, request, { fields: ISSUE_ITEM, isRaw: false, key: 'items' });
  },
});
