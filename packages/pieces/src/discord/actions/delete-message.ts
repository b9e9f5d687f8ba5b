import { action } from '@drawbridge/piece-kit';
import { channel, guildOfForm, message } from '../properties.js';

/** Deletes a message: https://docs.discord.com/developers/resources/message#delete-message */
export const deleteMessage = action({
  displayName: 'Delete message',
  description: 'Deletes a message. Messages of others need the permission "Manage Messages".',
  category: 'delete',
  idempotent: true,
  props: { guild_id: guildOfForm, channel_id: channel, message_id: message },
  call: { method: 'DELETE', path: '/api/v10/channels/{channel_id}/messages/{message_id}' },
});
