import { action, dropdown } from '@drawbridge/piece-kit';
import { toRaw } from '../mime.js';
import { messages } from '../options.js';
import { content, copies, draftTo, ID, subject } from '../properties.js';
import { readReply } from '../reply.js';
import { MAILBOX } from '../requests.js';

/** Stores an email as a draft: https://developers.google.com/workspace/gmail/api/reference/rest/v1/users.drafts/create */
export const createDraft = action({
  displayName: 'Create draft',
  description: 'Stores an email as a draft and does not send it. Returns the id of the draft and its message.',
  category: 'write',
  adds: true,
  recipients: ['to', 'cc', 'bcc'],
  props: {
    subject,
    ...content,
    to: draftTo,
    ...copies,
    messageId: dropdown('Reply to', {
      description: 'Makes the draft a reply in the thread of this message, with its subject.',
      ...ID,
      options: messages,
    }),
  },
  run: async ({ http, input: { messageId: id, ...mail } }) => {
    const { threadId, headers } = id === undefined ? {} : await readReply(http, id);
    const raw = toRaw({ ...mail, ...headers });
    return http.json({
      method: 'POST',
      path: `${MAILBOX}/drafts`,
      json: { message: { raw, ...(threadId && { threadId }) } },
    });
  },
});
