import { action } from '@drawbridge/piece-kit';
import { messageId } from '../properties.js';
import { MAILBOX } from '../requests.js';

/** Moves a message to the trash: https://developers.google.com/workspace/gmail/api/reference/rest/v1/users.messages/trash */
export const trash = action({
  displayName: 'Move to trash',
  description: 'Moves a message to the trash and returns its id. Gmail deletes it after 30 days.',
  category: 'delete',
  idempotent: true,
  props: { messageId },
  call: { method: 'POST', path: `${MAILBOX}/messages/{messageId}/trash` },
});
