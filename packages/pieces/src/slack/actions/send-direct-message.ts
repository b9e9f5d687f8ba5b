import { action, multiSelect, ProviderError, textAt } from '@drawbridge/piece-kit';
import { messageForm } from '../message-form.js';
import { users } from '../options.js';
import { blocks, text } from '../properties.js';

/** Opens a conversation with one to eight users and sends a message to it: https://docs.slack.dev/reference/methods/conversations.open */
export const sendDirectMessage = action({
  displayName: 'Send direct message',
  description: 'Sends a message to one user, or to a group of up to eight. Returns its channel and timestamp.',
  summary: 'Send a direct message to {users}',
  category: 'send',
  recipients: ['users'],
  props: {
    users: multiSelect('Users', { required: true, description: 'Such as ["U0123456789"].', options: users }),
    text,
    blocks,
  },
  run: async ({ http, input: { users: to, ...message } }) => {
    const form = { users: to.join(',') };
    const opened = await http.json({ method: 'POST', path: '/api/conversations.open', form });
    const channel = textAt(opened, 'channel', 'id');
    if (!channel) throw new ProviderError('Slack did not return the conversation with the users');

    return http.json({ method: 'POST', path: '/api/chat.postMessage', form: messageForm({ channel, ...message }) });
  },
});
