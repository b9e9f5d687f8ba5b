import { action } from '@drawbridge/piece-kit';
import { chat, message } from '../properties.js';

/** Deletes a message for all users of a chat: https://core.telegram.org/bots/api#deletemessage */
export const deleteMessage = action({
  displayName: 'Delete message',
  description:
    'Deletes a message for all users of a chat. The bot must have sent it less than 48 hours ago, or be an administrator.',
  summary: 'Delete a message in {chat_id}',
  category: 'delete',
  props: { chat_id: chat, message_id: message },
  call: { method: 'POST', path: '/deleteMessage', body: ['chat_id', 'message_id'] },
});
