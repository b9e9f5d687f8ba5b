import { action } from '@drawbridge/piece-kit';
import { toMessage } from '../message.js';
import { messageId } from '../properties.js';
import { messageRequest } from '../requests.js';

/**
 * Returns a message with its headers, texts and the list of its attachments:
 * https://developers.google.com/workspace/gmail/api/reference/rest/v1/users.messages/get
 */
export const getMessage = action({
  displayName: 'Get message',
  description: 'Returns a message: its addresses, subject, date, text, HTML, and the names and ids of its attachments.',
  category: 'read',
  props: { messageId },
  run: async ({ http, input }) => toMessage(await http.json(messageRequest(input.messageId, 'full'))),
});
