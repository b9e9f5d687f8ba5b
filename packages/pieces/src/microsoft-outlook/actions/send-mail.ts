import { action, checkbox } from '@drawbridge/piece-kit';
import { present } from '../../microsoft.js';
import { toMessage } from '../message.js';
import { addresses, messageFields } from '../properties.js';

/** Sends an email from the mailbox of the connected account: https://learn.microsoft.com/graph/api/user-sendmail */
export const sendMail = action({
  displayName: 'Send mail',
  description: 'Sends an email from the mailbox of the connected account. Returns nothing.',
  category: 'send',
  recipients: ['to', 'cc', 'bcc'],
  props: {
    to: addresses.to,
    ...messageFields,
    saveToSentItems: checkbox('Save to Sent Items', { description: 'Defaults to true.' }),
  },
  run: async ({ http, input: { saveToSentItems, ...draft } }) =>
    http.json({
      method: 'POST',
      path: '/v1.0/me/sendMail',
      json: present({ message: toMessage(draft), saveToSentItems }),
    }),
});
