import { action, number, shortText, staticDropdown } from '@drawbridge/piece-kit';
import { collect } from '../../collect.js';
import { byNumber } from '../paging.js';

/** https://docs.slack.dev/reference/methods/search.messages */
export const search = action({
  displayName: 'Search messages',
  description:
    'Finds messages. Slack lets people search, and no bots: the connection needs the token of a user (xoxp-…).',
  category: 'read',
  props: {
    query: shortText('Query', {
      required: true,
      description: 'Words, and filters as in Slack itself: invoice in:#support from:@ann after:2026-01-31.',
      minLength: 1,
      maxLength: 1000,
    }),
    sort: staticDropdown('Sort by', [
      { label: 'Relevance', value: 'score' },
      { label: 'Time', value: 'timestamp' },
    ]),
    sort_dir: staticDropdown('Order', ['desc', 'asc']),
    limit: number('At most', { description: '20 if absent.', integer: true, minimum: 1, maximum: 500 }),
  },
  run: async ({ http, input: { limit = 20, ...query } }) => {
    const request = { method: 'GET', path: '/api/search.messages', query: { ...query, count: Math.min(limit, 100) } };
    return collect(http.pages(request, limit, byNumber));
  },
});
