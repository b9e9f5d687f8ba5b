import { action, expandPath } from '@drawbridge/piece-kit';
import { present } from '../../microsoft.js';
import { toRecipients } from '../message.js';
import { addresses, comment, messageId } from '../properties.js';

/** Forwards a message with its attachments: https://learn.microsoft.com/graph/api/message-forward */
export const forward = action({
  displayName: 'Forward',
  description: 'Forwards a message with its attachments. Returns nothing.',
  category: 'send',
  recipients: ['to'],
  props: { messageId, to: addresses.to, comment },
  run: async ({ http, input: { messageId: id, to, comment: text = '' } }) =>
    http.json({
      method: 'POST',
      path: expandPath('/v1.0/me/messages/{id}/forward', { id }),
      json: present({ comment: text, toRecipients: toRecipients(to) }),
    }),
});
