import { action, checkbox } from '@drawbridge/piece-kit';
import { chat, DELIVERY, delivery, keyboard, parseMode, text } from '../properties.js';

/** Sends a text message to a user, group or channel: https://core.telegram.org/bots/api#sendmessage */
export const sendMessage = action({
  displayName: 'Send message',
  description: 'Sends a text message to a user, group or channel, and returns it with its message_id.',
  summary: 'Send a message to {chat_id}',
  category: 'send',
  recipients: ['chat_id'],
  props: {
    chat_id: chat,
    text,
    parse_mode: parseMode,
    disable_web_page_preview: checkbox('No preview', { description: 'Shows no preview of links in the text.' }),
    ...delivery,
    reply_markup: keyboard,
  },
  call: {
    method: 'POST',
    path: '/sendMessage',
    body: ['chat_id', 'text', 'parse_mode', 'disable_web_page_preview', ...DELIVERY, 'reply_markup'],
    result: 'result',
  },
});
