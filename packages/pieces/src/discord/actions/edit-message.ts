import { action } from '@drawbridge/piece-kit';
import { channel, content, embeds, guildOfForm, mentions, message } from '../properties.js';

/** Replaces the text of a message that the bot sent: https://docs.discord.com/developers/resources/message#edit-message */
export const editMessage = action({
  displayName: 'Edit message',
  description: 'Replaces the text of a message that the bot sent. Returns the message.',
  category: 'write',
  idempotent: true,
  props: { guild_id: guildOfForm, channel_id: channel, message_id: message, content, embeds, mentions },
  call: {
    method: 'PATCH',
    path: '/api/v10/channels/{channel_id}/messages/{message_id}',
    body: { content: 'content', embeds: 'embeds', 'allowed_mentions.parse': 'mentions' },
  },
});
