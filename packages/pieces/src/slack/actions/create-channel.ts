import { action, checkbox, multiSelect, shortText, textAt } from '@drawbridge/piece-kit';
import { users } from '../options.js';

/** https://docs.slack.dev/reference/methods/conversations.create */
export const createChannel = action({
  displayName: 'Create channel',
  description: 'Creates a channel and invites people to it.',
  category: 'write',
  adds: true,
  recipients: ['users'],
  props: {
    name: shortText('Name', {
      required: true,
      description: 'Lower-case letters, digits, hyphens and underscores.',
      pattern: '^[^\\s#.,A-Z]+$',
      maxLength: 80,
    }),
    is_private: checkbox('Private', { description: 'Whether only who is invited sees it.' }),
    users: multiSelect('Invite', { description: 'Ids of people, as in U0123456789.', options: users }),
  },
  run: async ({ http, input: { users: invited = [], ...form } }) => {
    const created = await http.json({ method: 'POST', path: '/api/conversations.create', form });
    const channel = textAt(created, 'channel', 'id');
    if (invited.length === 0 || !channel) return created;

    return http.json({
      method: 'POST',
      path: '/api/conversations.invite',
      form: { channel, users: invited.join(',') },
    });
  },
});
