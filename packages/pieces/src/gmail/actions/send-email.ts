import { action } from '@drawbridge/piece-kit';
import { toRaw } from '../mime.js';
import { content, copies, subject, to } from '../properties.js';
import { MAILBOX } from '../requests.js';

/** Sends an email from the connected account: https://developers.google.com/workspace/gmail/api/reference/rest/v1/users.messages/send */
export const sendEmail = action({
  displayName: 'Send email',
  description: 'Sends an email from the connected account. Returns the id and threadId of the sent message.',
  summary: 'Send an email to {to}',
  category: 'send',
  recipients: ['to', 'cc', 'bcc'],
  props: { to, subject, ...content, ...copies },
  run: async ({ http, input }) =>
    http.json({ method: 'POST', path: `${MAILBOX}/messages/send`, json: { raw: toRaw(input) } }),
});
