import { action, collect, staticDropdown } from '@drawbridge/piece-kit';
import { pickFields, same } from '../../pick-fields.js';
import { PAGE, tokenPages } from '../meetings.js';
import { limit } from '../properties.js';

const USER = same('id', 'email', 'first_name', 'last_name', 'type', 'status', 'timezone', 'dept', 'last_login_time');

/** Lists the users of the account: https://developers.zoom.us/docs/api/users/#tag/users/GET/users */
export const listUsers = action({
  displayName: 'List users',
  description: 'Lists the users of the account. The connection needs the scope user:read:list_users:admin.',
  category: 'read',
  props: {
    status: staticDropdown('Status', ['active', 'inactive', 'pending'], {
      description: 'The status of the users. Defaults to active.',
    }),
    limit,
  },
  run: async ({ http, input: { status, limit: count = 100 } }) => {
    const request = { method: 'GET', path: '/v2/users', query: { status, page_size: Math.min(count, PAGE) } };
    return (await collect(http.pages(request, count, tokenPages('users')))).map((user) => pickFields(user, USER));
  },
});
