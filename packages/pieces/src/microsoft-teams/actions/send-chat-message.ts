import { action, expandPath } from '@drawbridge/piece-kit';
import { toBody, toMessage } from '../messages.js';
import { chat, importance, written } from '../properties.js';

/** Sends a message to a chat as the connected user: https://learn.microsoft.com/graph/api/chat-post-messages */
export const sendChatMessage = action({
  displayName: 'Send chat message',
  description: 'Sends a message to a chat as the connected user. "Create chat" returns the chat with a person.',
  category: 'send',
  recipients: ['chat_id'],
  props: { chat_id: chat, ...written, importance },
  run: async ({ http, input: { chat_id, ...message } }) => {
    const path = expandPath('/v1.0/chats/{chat_id}/messages', { chat_id });
    return toMessage(await http.json({ method: 'POST', path, json: toBody(message) }));
  },
});
