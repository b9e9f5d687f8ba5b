import { action, dateTime } from '@drawbridge/piece-kit';
import { messageForm } from '../message-form.js';
import { blocks, channel, preview, replyBroadcast, text, thread } from '../properties.js';

/** Sends a message to a channel or a thread at a later time: https://docs.slack.dev/reference/methods/chat.scheduleMessage */
export const scheduleMessage = action({
  displayName: 'Schedule message',
  description: 'Sends a message to a channel or a thread at a later time. Returns scheduled_message_id.',
  category: 'send',
  recipients: ['channel'],
  props: {
    channel,
    text,
    post_at: dateTime('Send at', { required: true, description: 'At most 120 days from now.' }),
    blocks,
    thread_ts: thread,
    reply_broadcast: replyBroadcast,
    ...preview,
  },
  run: async ({ http, input: { post_at, ...message } }) => {
    const form = messageForm({ ...message, post_at: Math.floor(Date.parse(post_at) / 1000) });
    return http.json({ method: 'POST', path: '/api/chat.scheduleMessage', form });
  },
});
