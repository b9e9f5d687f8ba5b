import { action } from '@drawbridge/piece-kit';
import { channel, messageTimestamp } from '../properties.js';

/** Deletes a message that this connection sent: https://docs.slack.dev/reference/methods/chat.delete */
export const deleteMessage = action({
  displayName: 'Delete message',
  description: 'Deletes a message that this connection sent.',
  summary: 'Delete a message in {channel}',
  category: 'delete',
  props: { channel, ts: messageTimestamp },
  call: { method: 'POST', path: '/api/chat.delete', form: ['channel', 'ts'] },
});
