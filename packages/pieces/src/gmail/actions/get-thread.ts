import { action, expandPath, listAt, textAt } from '@drawbridge/piece-kit';
import { IN_LIST, toMessage } from '../message.js';
import { threadId } from '../properties.js';
import { MAILBOX } from '../requests.js';

/** Returns all messages of a thread: https://developers.google.com/workspace/gmail/api/reference/rest/v1/users.threads/get */
export const getThread = action({
  displayName: 'Get thread',
  description:
    'Returns all messages of a thread, oldest first. Each has its addresses, subject, date, attachments and a text of at most 20,000 characters.',
  category: 'read',
  props: { threadId },
  run: async ({ http, input }) => {
    const path = expandPath(`${MAILBOX}/threads/{threadId}`, input);
    const thread = await http.json({ method: 'GET', path, query: { format: 'full' } });
    const messages = listAt(thread, 'messages').map((message) => toMessage(message, IN_LIST));
    return { id: textAt(thread, 'id') ?? input.threadId, messages };
  },
});
