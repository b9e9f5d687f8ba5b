import { action, expandPath, member, staticDropdown } from '@drawbridge/piece-kit';
import { listGraph, withoutAnnotations } from '../../microsoft.js';
import { LISTED } from '../message.js';
import { preferring } from '../prefer.js';
import { messageId } from '../properties.js';

const FIELDS = `${LISTED},body,bccRecipients,replyTo,sentDateTime,internetMessageId,isDraft,categories`;
const ATTACHMENT_FIELDS = 'id,name,contentType,size,isInline';
const MAX_ATTACHMENTS = 250;

/**
 * Reads a message and the list of its attachments: https://learn.microsoft.com/graph/api/message-get and
 * https://learn.microsoft.com/graph/api/message-list-attachments
 */
export const getMessage = action({
  displayName: 'Get message',
  description: 'Reads a message with its body, and the names and ids of its attachments.',
  category: 'read',
  props: {
    messageId,
    bodyType: staticDropdown('Body type', ['text', 'html'], { description: 'Defaults to text.' }),
  },
  run: async ({ http, input: { messageId: id, bodyType = 'text' } }) => {
    const path = expandPath('/v1.0/me/messages/{id}', { id });
    const headers = preferring('outlook.body-content-type', bodyType);
    const message = await http.json({ method: 'GET', path, query: { $select: FIELDS }, headers });
    if (member(message, 'hasAttachments') !== true) return { ...withoutAnnotations(message), attachments: [] };
    const query = { $select: ATTACHMENT_FIELDS };
    const attachments = await listGraph(http, `${path}/attachments`, { query, limit: MAX_ATTACHMENTS });
    return { ...withoutAnnotations(message), attachments };
  },
});
