import { action, checkbox, dropdown } from '@drawbridge/piece-kit';
import { channels } from '../options.js';
import { blocks, text, thread } from '../properties.js';

/** https://docs.slack.dev/reference/methods/chat.postMessage */
export const sendMessage = action({
  displayName: 'Send message',
  description: 'Sends a message to a channel, a thread or a user. Returns its channel and timestamp.',
  category: 'send',
  recipients: ['channel'],
  props: {
    channel: dropdown('Channel', {
      required: true,
      description: 'The id of a channel, such as C0123456789, or of a user, such as U0123456789.',
      options: channels,
    }),
    text,
    blocks,
    thread_ts: thread,
    reply_broadcast: checkbox('Also send to channel', {
      description: 'Shows a reply in a thread in the channel as well.',
    }),
    unfurl_links: checkbox('Preview links'),
    unfurl_media: checkbox('Preview media'),
  },
  run: async ({ http, input: { blocks: layout, ...form } }) =>
    http.json({
      method: 'POST',
      path: '/api/chat.postMessage',
      form: { ...form, ...(layout && { blocks: JSON.stringify(layout) }) },
    }),
});
