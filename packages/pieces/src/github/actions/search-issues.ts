import { action, shortText, staticDropdown } from '@drawbridge/piece-kit';
import { page } from '../properties.js';

/** https://docs.github.com/rest/search/search#search-issues-and-pull-requests */
export const searchIssues = action({
  displayName: 'Search issues',
  description: 'Finds issues and pull requests by words and qualifiers.',
  category: 'read',
  props: {
    q: shortText('Query', {
      required: true,
      description: 'Words and qualifiers, such as crash repo:octocat/hello-world is:issue is:open.',
      minLength: 1,
    }),
    sort: staticDropdown('Sort by', ['comments', 'reactions', 'interactions', 'created', 'updated'], {
      description: 'Defaults to the best match.',
    }),
    order: staticDropdown('Order', ['desc', 'asc']),
    ...page,
  },
  call: { method: 'GET', path: '/search/issues', query: ['q', 'sort', 'order', 'per_page', 'page'] },
});
