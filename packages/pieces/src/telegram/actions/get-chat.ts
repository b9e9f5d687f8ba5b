import { action } from '@drawbridge/piece-kit';
import { chat } from '../properties.js';

/** Returns a chat: https://core.telegram.org/bots/api#getchat */
export const getChat = action({
  displayName: 'Get chat',
  description: 'Reads a chat: its type, title, user name, description and pinned message.',
  category: 'read',
  props: { chat_id: chat },
  call: { method: 'POST', path: '/getChat', body: ['chat_id'], result: 'result' },
});
