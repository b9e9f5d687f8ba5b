import { action } from '@drawbridge/piece-kit';
import { chat, keyboard, message, parseMode, text } from '../properties.js';

/** Replaces the text of a message that the bot sent: https://core.telegram.org/bots/api#editmessagetext */
export const editMessage = action({
  displayName: 'Edit message',
  description: 'Replaces the text of a message that the bot sent, and returns the message.',
  category: 'write',
  idempotent: true,
  recipients: ['chat_id'],
  props: { chat_id: chat, message_id: message, text, parse_mode: parseMode, reply_markup: keyboard },
  call: {
    method: 'POST',
    path: '/editMessageText',
    body: ['chat_id', 'message_id', 'text', 'parse_mode', 'reply_markup'],
    result: 'result',
  },
});
