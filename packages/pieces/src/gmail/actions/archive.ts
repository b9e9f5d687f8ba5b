import { action } from '@drawbridge/piece-kit';
import { messageId } from '../properties.js';
import { MAILBOX } from '../requests.js';

/** Archives a message by removing the label INBOX: https://developers.google.com/workspace/gmail/api/reference/rest/v1/users.messages/modify */
export const archive = action({
  displayName: 'Archive',
  description: 'Removes a message from the inbox and keeps it in the mailbox. Returns its labels.',
  category: 'write',
  idempotent: true,
  props: { messageId },
  call: {
    method: 'POST',
    path: `${MAILBOX}/messages/{messageId}/modify`,
    body: { removeLabelIds: { constant: ['INBOX'] } },
  },
});
