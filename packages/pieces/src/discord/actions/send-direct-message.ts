import { action, ProviderError, textAt } from '@drawbridge/piece-kit';
import { sendTo } from '../messages.js';
import { guildOfForm, newMessageProps, user } from '../properties.js';

/**
 * Creates a direct message channel, or returns the existing channel, and sends a message to it:
 * https://docs.discord.com/developers/resources/user#create-dm
 */
export const sendDirectMessage = action({
  displayName: 'Send direct message',
  description:
    'Sends a message to a user who shares a server with the bot. Returns the message with its id and channel.',
  category: 'send',
  recipients: ['user_id'],
  props: { guild_id: guildOfForm, user_id: user, ...newMessageProps },
  run: async ({ http, input: { user_id, ...message } }) => {
    const opened = { method: 'POST', path: '/api/v10/users/@me/channels', json: { recipient_id: user_id } };
    const channel = textAt(await http.json(opened), 'id');
    if (!channel) throw new ProviderError('Discord returned no channel for the direct message');
    return sendTo(channel, message, http);
  },
});
