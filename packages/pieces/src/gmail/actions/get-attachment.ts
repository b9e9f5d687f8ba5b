import { action, dropdown, expandPath, InputError, textAt, type Http } from '@drawbridge/piece-kit';
import { attachmentsOf, partId, partsOf } from '../message.js';
import { attachments } from '../options.js';
import { messageId } from '../properties.js';
import { MAILBOX, messageRequest } from '../requests.js';

/**
 * Returns an attachment of a message as a file: https://developers.google.com/workspace/gmail/api/reference/rest/v1/users.messages.attachments/get
 */
export const getAttachment = action({
  displayName: 'Get attachment',
  description: 'Returns an attachment of a message as a file.',
  category: 'read',
  props: {
    messageId,
    attachmentId: dropdown('Attachment', {
      required: true,
      description: 'The id of an attachment, as the message lists it.',
      maxLength: 100,
      refreshers: ['messageId'],
      options: attachments,
    }),
  },
  run: async ({ http, input }) => {
    const message = await http.json(messageRequest(input.messageId, 'full'));
    const file = attachmentsOf(message).find(({ id }) => id === input.attachmentId);
    const part = partsOf(message).find((one) => partId(one) === input.attachmentId);
    if (!file || part === undefined) throw new InputError('attachmentId', 'is no attachment of the message');

    const id = textAt(part, 'body', 'attachmentId');
    const data = id === undefined ? textAt(part, 'body', 'data') : await readAttachment(http, { ...input, id });
    const base64 = Buffer.from(data ?? '', 'base64url').toString('base64');
    return { filename: file.filename, mimeType: file.mimeType, base64 };
  },
});

async function readAttachment(http: Http, ids: { messageId: string; id: string }): Promise<string | undefined> {
  const path = expandPath(`${MAILBOX}/messages/{messageId}/attachments/{id}`, ids);
  return textAt(await http.json({ method: 'GET', path }), 'data');
}
