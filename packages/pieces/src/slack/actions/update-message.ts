import { action } from '@drawbridge/piece-kit';
import { messageForm } from '../message-form.js';
import { blocks, channel, messageTimestamp, text } from '../properties.js';

/** Replaces the text of a message that this connection sent: https://docs.slack.dev/reference/methods/chat.update */
export const updateMessage = action({
  displayName: 'Update message',
  description: 'Replaces the text of a message that this connection sent, and returns it.',
  summary: 'Change a message in {channel}',
  category: 'write',
  idempotent: true,
  props: { channel, ts: messageTimestamp, text, blocks },
  run: async ({ http, input }) => http.json({ method: 'POST', path: '/api/chat.update', form: messageForm(input) }),
});
