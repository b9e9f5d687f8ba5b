import { expandPath, newSince, textAt, trigger } from '@drawbridge/piece-kit';
import { toMessage } from '../messages.js';
import { chat } from '../properties.js';

/** Maximum number of messages that one poll reads. */
const MAX_MESSAGES = 1_000;

/** Runs when a message is sent in a chat of the connected user: https://learn.microsoft.com/graph/api/chat-list-messages */
export const newChatMessage = trigger({
  kind: 'polling',
  displayName: 'New chat message',
  description: 'Runs when a message is sent in a chat of the connected user.',
  props: { chat_id: chat },
  sample: {
    id: '1616964509832',
    createdDateTime: '2026-01-31T09:00:00.832Z',
    chatId: '19:2da4c29f6d7041eca70b638b43d45437@thread.v2',
    content: 'Hello',
    contentType: 'text',
    from: 'Ada Lovelace',
    fromId: '8ea0e38b-efb3-4757-924a-5f94061cf8c2',
  },
  poll: newSince<{ chat_id: string }>({
    list: ({ http, input: { chat_id } }) =>
      http.pages(
        {
          method: 'GET',
          path: expandPath('/v1.0/chats/{chat_id}/messages', { chat_id }),
          query: { $top: 50, $orderby: 'createdDateTime desc' },
        },
        MAX_MESSAGES,
      ),
    time: (message) => textAt(message, 'createdDateTime'),
    id: (message) => textAt(message, 'id'),
    data: (message) => (textAt(message, 'messageType') === 'message' ? toMessage(message) : undefined),
  }),
});
