import { action, collect } from '@drawbridge/piece-kit';
import { pickFields, same } from '../../pick-fields.js';
import { QUERY } from '../paging.js';
import { limit } from '../properties.js';

/** Lists the members and bots of the workspace: https://developers.notion.com/reference/get-users */
export const listUsers = action({
  displayName: 'List users',
  description: 'Lists the members and bots of the workspace. Guests are not listed. Email addresses need a capability.',
  category: 'read',
  props: { limit },
  run: async ({ http, input: { limit: count = 100 } }) => {
    const query = { page_size: Math.min(count, 100) };
    const users = await collect(http.pages({ method: 'GET', path: '/v1/users', query }, count, QUERY));
    return users.map((user) => pickFields(user, { ...same('id', 'type', 'name'), email: 'person.email' }));
  },
});
