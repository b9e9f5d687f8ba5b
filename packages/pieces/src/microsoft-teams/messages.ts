import { type InputOf, type JsonObject, type JsonValue } from '@drawbridge/piece-kit';
import { pickFields, same } from '../pick-fields.js';
import type { written } from './properties.js';

const MESSAGE = {
  ...same('id', 'subject', 'importance', 'createdDateTime', 'lastModifiedDateTime', 'webUrl', 'replyToId', 'chatId'),
  ...{ content: 'body.content', contentType: 'body.contentType' },
  ...{ from: 'from.user.displayName', fromId: 'from.user.id', attachments: 'attachments.*.name' },
};

/** Returns the fields of a message that the output contains. Its content is HTML or plain text, depending on `contentType`. */
export const toMessage = (message: JsonValue): JsonObject => pickFields(message, MESSAGE);

type Written = InputOf<typeof written> & { subject?: string; importance?: string };

/** Returns the body of a message: https://learn.microsoft.com/graph/api/resources/chatmessage */
export function toBody({ text, format = 'text', subject, importance }: Written): JsonObject {
  return {
    body: { contentType: format, content: text },
    ...(subject && { subject }),
    ...(importance && { importance }),
  };
}
