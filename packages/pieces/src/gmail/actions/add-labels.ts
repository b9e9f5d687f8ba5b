import { action } from '@drawbridge/piece-kit';
import { labelIds, messageId } from '../properties.js';
import { MAILBOX } from '../requests.js';

/** Adds labels to a message: https://developers.google.com/workspace/gmail/api/reference/rest/v1/users.messages/modify */
export const addLabels = action({
  displayName: 'Add labels',
  description: 'Adds labels to a message. Returns its labels.',
  category: 'write',
  idempotent: true,
  props: { messageId, labelIds },
  call: { method: 'POST', path: `${MAILBOX}/messages/{messageId}/modify`, body: { addLabelIds: 'labelIds' } },
});
