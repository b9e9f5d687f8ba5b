import { action, checkbox, multiSelect, shortText, textAt } from '@drawbridge/piece-kit';
import { users } from '../options.js';

/** Creates a channel and invites users: https://docs.slack.dev/reference/methods/conversations.create */
export const createChannel = action({
  displayName: 'Create channel',
  description: 'Creates a channel, invites users and returns the channel.',
  summary: 'Create the channel {name}',
  category: 'write',
  adds: true,
  recipients: ['users'],
  props: {
    name: shortText('Name', {
      required: true,
      description: 'Lowercase letters, digits, hyphens and underscores.',
      pattern: '^[^\\s#.,A-Z]+$',
      maxLength: 80,
    }),
    is_private: checkbox('Private', { description: 'Makes the channel visible only to invited users.' }),
    users: multiSelect('Invite', { description: 'Such as ["U0123456789"].', options: users }),
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
