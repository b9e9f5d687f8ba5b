import { action, dropdown } from '@drawbridge/piece-kit';
import { messageForm } from '../message-form.js';
import { channels } from '../options.js';
import { blocks, preview, replyBroadcast, text, thread } from '../properties.js';

/** Sends a message to a channel, a thread or a user: https://docs.slack.dev/reference/methods/chat.postMessage */
export const sendMessage = action({
  displayName: 'Send message',
  description: 'Sends a message to a channel, a thread or a user. Returns its channel and timestamp.',
  summary: 'Send a message to {channel}',
  category: 'send',
  recipients: ['channel'],
  props: {
    channel: dropdown('Channel', {
      required: true,
      description: 'The id of a channel (C…) or user (U…).',
      options: channels,
    }),
    text,
    blocks,
    thread_ts: thread,
    reply_broadcast: replyBroadcast,
    ...preview,
  },
  run: async ({ http, input }) =>
    http.json({ method: 'POST', path: '/api/chat.postMessage', form: messageForm(input) }),
});
