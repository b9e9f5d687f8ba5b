import { action, collect, shortText } from '@drawbridge/piece-kit';
import { offsetPages, PAGE } from '../paging.js';
import { limit } from '../properties.js';
import { toUser } from '../ticket.js';

/**
 * Finds users by name, email address, phone number or external id: https://developer.zendesk.com/api-reference/ticketing/users/users/#search-users
 */
export const findUser = action({
  displayName: 'Find users',
  description: 'Finds users by name, email address, phone number or external id.',
  category: 'read',
  props: {
    query: shortText('Query', {
      required: true,
      description: 'Part of a name, or an email address.',
      minLength: 1,
      maxLength: 500,
    }),
    limit,
  },
  run: async ({ http, input: { query, limit: count = PAGE } }) => {
    const request = {
      method: 'GET',
      path: '/api/v2/users/search',
      query: { query, per_page: Math.min(count, PAGE) },
    } as const;
    return (await collect(http.pages(request, count, offsetPages('users')))).map(toUser);
  },
});
