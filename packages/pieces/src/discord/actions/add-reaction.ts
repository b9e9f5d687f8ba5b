import { action, shortText } from '@drawbridge/piece-kit';
import { channel, guildOfForm, message } from '../properties.js';

/** Adds an emoji to a message: https://docs.discord.com/developers/resources/message#create-reaction */
export const addReaction = action({
  displayName: 'Add reaction',
  description: 'Adds an emoji to a message.',
  category: 'write',
  adds: true,
  idempotent: true,
  props: {
    guild_id: guildOfForm,
    channel_id: channel,
    message_id: message,
    emoji: shortText('Emoji', {
      required: true,
      description: 'Such as 👍, or a server emoji as name:id.',
      pattern: '^\\S+$',
      maxLength: 60,
    }),
  },
  call: { method: 'PUT', path: '/api/v10/channels/{channel_id}/messages/{message_id}/reactions/{emoji}/@me' },
});
