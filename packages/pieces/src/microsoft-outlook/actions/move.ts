import { action } from '@drawbridge/piece-kit';
import { folderId, messageId } from '../properties.js';

/** Moves a message to another folder: https://learn.microsoft.com/graph/api/message-move */
export const move = action({
  displayName: 'Move message',
  description: 'Moves a message to another folder. Returns the message, which keeps its id.',
  category: 'write',
  props: { messageId, folderId: folderId.target },
  call: { method: 'POST', path: '/v1.0/me/messages/{messageId}/move', body: { destinationId: 'folderId' } },
});
