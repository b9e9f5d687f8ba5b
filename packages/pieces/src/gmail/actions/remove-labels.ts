import { action } from '@drawbridge/piece-kit';
import { labelIds, messageId } from '../properties.js';
import { MAILBOX } from '../requests.js';

/** Removes labels from a message: https://developers.google.com/workspace/gmail/api/reference/rest/v1/users.messages/modify */
export const removeLabels = action({
  displayName: 'Remove labels',
  description: 'Removes labels from a message. Returns its labels.',
  category: 'write',
  idempotent: true,
  props: { messageId, labelIds },
  call: { method: 'POST', path: `${MAILBOX}/messages/{messageId}/modify`, body: { removeLabelIds: 'labelIds' } },
});
