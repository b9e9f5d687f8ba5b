import { action } from '@drawbridge/piece-kit';
import { toRaw } from '../mime.js';
import { content, copies, messageId, to } from '../properties.js';
import { readReply } from '../reply.js';
import { MAILBOX } from '../requests.js';

/** Sends a reply in the thread of a message: https://developers.google.com/workspace/gmail/api/guides/threads */
export const reply = action({
  displayName: 'Reply',
  description:
    'Replies to a message in its thread, with its subject. Returns the ids. The recipients are those of "to": usually the replyTo or from address of the message.',
  category: 'send',
  recipients: ['to', 'cc', 'bcc'],
  props: { messageId, to, ...content, ...copies },
  run: async ({ http, input: { messageId: id, ...mail } }) => {
    const { threadId, headers } = await readReply(http, id);
    const raw = toRaw({ ...mail, ...headers });
    return http.json({
      method: 'POST',
      path: `${MAILBOX}/messages/send`,
      json: { raw, ...(threadId && { threadId }) },
    });
  },
});
