import { action, checkbox, expandPath } from '@drawbridge/piece-kit';
import { present } from '../../microsoft.js';
import { toRecipients } from '../message.js';
import { addresses, comment, messageId } from '../properties.js';

/**
 * Replies to the sender or to all recipients of a message: https://learn.microsoft.com/graph/api/message-reply and
 * https://learn.microsoft.com/graph/api/message-replyall
 */
export const reply = action({
  displayName: 'Reply',
  description: 'Replies to the sender of a message, or to all of its recipients. Returns nothing.',
  category: 'send',
  // The message determines who receives the reply.
  recipients: ['messageId', 'to'],
  props: {
    messageId,
    comment,
    replyAll: checkbox('Reply to all', { description: 'Sends the reply to all recipients of the message.' }),
    to: addresses.added,
  },
  run: async ({ http, input: { messageId: id, comment: text = '', replyAll = false, to } }) =>
    http.json({
      method: 'POST',
      path: expandPath(`/v1.0/me/messages/{id}/${replyAll ? 'replyAll' : 'reply'}`, { id }),
      json: present({ comment: text, message: to && { toRecipients: toRecipients(to) ?? [] } }),
    }),
});
