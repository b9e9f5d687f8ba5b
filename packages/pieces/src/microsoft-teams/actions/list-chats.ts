import { action, collect } from '@drawbridge/piece-kit';
import { pickFields, same } from '../../pick-fields.js';
import { limit } from '../properties.js';

/** The maximum page size for chats. */
const PAGE = 50;
const CHAT = same('id', 'topic', 'chatType', 'createdDateTime', 'lastUpdatedDateTime', 'webUrl');

/** Lists the chats of the connected user: https://learn.microsoft.com/graph/api/chat-list */
export const listChats = action({
  displayName: 'List chats',
  description: 'Lists the chats of the connected user.',
  category: 'read',
  props: { limit },
  run: async ({ http, input: { limit: count = 25 } }) => {
    const request = { method: 'GET', path: '/v1.0/me/chats', query: { $top: Math.min(count, PAGE) } } as const;
    return (await collect(http.pages(request, count))).map((chat) => pickFields(chat, CHAT));
  },
});
