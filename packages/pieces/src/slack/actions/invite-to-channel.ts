import { action, multiSelect } from '@drawbridge/piece-kit';
import { users } from '../options.js';
import { channel } from '../properties.js';

/** Adds users to a channel that the bot is a member of: https://docs.slack.dev/reference/methods/conversations.invite */
export const inviteToChannel = action({
  displayName: 'Invite to channel',
  description: 'Adds users to a channel that the bot is a member of. Returns the channel.',
  category: 'write',
  adds: true,
  recipients: ['users'],
  props: {
    channel,
    users: multiSelect('Users', {
      required: true,
      description: 'At most 100: ["U0123456789"].',
      options: users,
    }),
  },
  run: async ({ http, input }) => {
    const form = { channel: input.channel, users: input.users.join(',') };
    return http.json({ method: 'POST', path: '/api/conversations.invite', form });
  },
});
