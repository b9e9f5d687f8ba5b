import { action, shortText, staticDropdown, collect } from '@drawbridge/piece-kit';
import { itemLimit } from '../../item-limit.js';
import { byNumber } from '../paging.js';

/** Finds messages by a query: https://docs.slack.dev/reference/methods/search.messages */
export const search = action({
  displayName: 'Search messages',
  description:
    'Finds messages. Slack does not let bots search: the connection needs a user token (xoxp-…) with the scope search:read.',
  category: 'read',
  props: {
    query: shortText('Query', {
      required: true,
      description: 'Words and filters, such as invoice in:#support from:@ann after:2026-01-31.',
      minLength: 1,
      maxLength: 1000,
    }),
    sort: staticDropdown('Sort by', [
      { label: 'Relevance', value: 'score' },
      { label: 'Time', value: 'timestamp' },
    ]),
    sort_dir: staticDropdown('Order', ['desc', 'asc']),
    limit: itemLimit({ defaultsTo: 20, maximum: 500 }),
  },
  run: async ({ http, input: { limit = 20, ...query } }) => {
    const request = { method: 'GET', path: '/api/search.messages', query: { ...query, count: Math.min(limit, 100) } };
    return collect(http.pages(request, limit, byNumber));
  },
});
