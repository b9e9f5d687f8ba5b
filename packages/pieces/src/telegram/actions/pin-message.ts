import { action } from '@drawbridge/piece-kit';
import { chat, message, silent } from '../properties.js';

/** Pins a message at the top of a chat: https://core.telegram.org/bots/api#pinchatmessage */
export const pinMessage = action({
  displayName: 'Pin message',
  description: 'Pins a message at the top of a chat. In groups and channels, the bot must be an administrator.',
  category: 'write',
  idempotent: true,
  props: { chat_id: chat, message_id: message, disable_notification: silent },
  call: { method: 'POST', path: '/pinChatMessage', body: ['chat_id', 'message_id', 'disable_notification'] },
});
