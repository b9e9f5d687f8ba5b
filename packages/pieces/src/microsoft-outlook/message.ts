import { InputError, type InputOf, type JsonObject, type JsonValue, textAt } from '@drawbridge/piece-kit';
import { present } from '../microsoft.js';
import type { messageFields } from './properties.js';

/** The fields of messages in lists. They are sufficient to select a message, and omit its body. */
export const LISTED = [
  ...['id', 'subject', 'from', 'toRecipients', 'ccRecipients', 'receivedDateTime', 'isRead', 'hasAttachments'],
  ...['importance', 'bodyPreview', 'conversationId', 'parentFolderId', 'webLink'],
].join(',');

type Draft = Partial<InputOf<typeof messageFields>> & { to?: readonly string[] };

/**
 * Converts the input to a message in Graph's format. Throws InputError for large attachments: https://learn.microsoft.com/graph/api/resources/message
 */
export function toMessage({
  subject,
  body,
  bodyType = 'text',
  to,
  cc,
  bcc,
  importance,
  attachments,
}: Draft): JsonObject {
  return present({
    subject,
    body: body === undefined ? undefined : { contentType: bodyType, content: body },
    toRecipients: toRecipients(to),
    ccRecipients: toRecipients(cc),
    bccRecipients: toRecipients(bcc),
    importance,
    attachments: toAttachments(attachments),
  });
}

/** Converts addresses to recipients of a message: https://learn.microsoft.com/graph/api/resources/recipient */
export function toRecipients(addresses: readonly string[] | undefined): JsonValue[] | undefined {
  return addresses?.map((address) => ({ emailAddress: { address } }));
}

/** Maximum number of characters of all attachments in base64. Graph accepts 3 MB: https://learn.microsoft.com/graph/outlook-large-attachments */
export const MAX_ATTACHED = 4_000_000;

/** Converts files to attachments of a message: https://learn.microsoft.com/graph/api/resources/fileattachment */
function toAttachments(files: readonly JsonValue[] | undefined): JsonValue[] | undefined {
  const attachments = files?.map((file) => ({
    '@odata.type': '#microsoft.graph.fileAttachment',
    name: textAt(file, 'filename') ?? '',
    contentType: textAt(file, 'mimeType') ?? '',
    contentBytes: textAt(file, 'base64') ?? '',
  }));
  const size = attachments?.reduce((sum, { contentBytes }) => sum + contentBytes.length, 0) ?? 0;
  if (size > MAX_ATTACHED)
    throw new InputError('attachments', 'are larger than 3 MB together. Send a link to a file instead');
  return attachments;
}
