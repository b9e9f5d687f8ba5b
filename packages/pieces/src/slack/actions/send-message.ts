import { action, checkbox, dropdown } from '@drawbridge/piece-kit';
import { channels } from '../options.js';
import { blocks, text, thread } from '../properties.js';

/** https://docs.slack.dev/reference/methods/chat.postMessage */
export const sendMessage = action({
  displayName: 'Send message',
  description: 'Posts a message to a channel, into a thread, or to a person.',
  category: 'send',
  recipients: ['channel'],
  props: {
    channel: dropdown('Channel', {
      required: true,
      description: 'The id of a channel, as in C0123456789, or of a person, as in U0123456789.',
      options: channels,
    }),
    text,
    blocks,
    thread_ts: thread,
    reply_broadcast: checkbox('Also to the channel', {
      description: 'Shows an answer in a thread to the channel, too.',
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
