import { action, collect } from '@drawbridge/piece-kit';
import { pickFields } from '../../pick-fields.js';
import { MESSAGE } from '../fields.js';
import { byCursor } from '../paging.js';
import { channel, limit, messageTimestamp, raw } from '../properties.js';

/** Returns a message and the replies in its thread: https://docs.slack.dev/reference/methods/conversations.replies */
export const getThread = action({
  displayName: 'Get thread',
  description: 'Reads a message and the replies in its thread, oldest first.',
  category: 'read',
  props: { channel, ts: messageTimestamp, limit, raw },
  run: async ({ http, input: { channel: id, ts, limit: most = 100, raw: isRaw } }) => {
    const query = { channel: id, ts, limit: Math.min(most, 200) };
    const request = { method: 'GET', path: '/api/conversations.replies', query };
    const messages = await collect(http.pages(request, most, byCursor('messages')));
    return isRaw ? messages : messages.map((message) => pickFields(message, MESSAGE));
  },
});
