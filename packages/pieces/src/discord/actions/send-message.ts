import { action, shortText } from '@drawbridge/piece-kit';
import { sendTo } from '../messages.js';
import { channel, guildOfForm, newMessageProps } from '../properties.js';
import { SNOWFLAKE } from '../snowflake.js';

/** Sends a message to a channel or a thread: https://docs.discord.com/developers/resources/message#create-message */
export const sendMessage = action({
  displayName: 'Send message',
  description: 'Sends a message to a channel or a thread. Returns the message with its id.',
  summary: 'Send a message to {channel_id}',
  category: 'send',
  recipients: ['channel_id'],
  props: {
    guild_id: guildOfForm,
    channel_id: channel,
    ...newMessageProps,
    reply_to: shortText('Reply to', {
      description: 'The message of the channel to reply to.',
      pattern: SNOWFLAKE,
      maxLength: 20,
    }),
  },
  run: async ({ http, input: { channel_id, ...message } }) => sendTo(channel_id, message, http),
});
