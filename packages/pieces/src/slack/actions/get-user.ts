import { action, dropdown, member } from '@drawbridge/piece-kit';
import { pickFields } from '../../pick-fields.js';
import { USER } from '../fields.js';
import { users } from '../options.js';
import { raw } from '../properties.js';

/** Returns the profile of a user or a bot: https://docs.slack.dev/reference/methods/users.info */
export const getUser = action({
  displayName: 'Get user',
  description: 'Reads the profile of a user or a bot: its names, email address, title and time zone.',
  category: 'read',
  props: {
    user: dropdown('User', { required: true, description: 'The id (U…).', options: users }),
    raw,
  },
  run: async ({ http, input: { user, raw: isRaw } }) => {
    const found = member(await http.json({ method: 'GET', path: '/api/users.info', query: { user } }), 'user') ?? {};
    return isRaw ? found : pickFields(found, USER);
  },
});
