import {
  expandPath,
  filePart,
  type Http,
  type InputOf,
  type JsonObject,
  type JsonValue,
  listAt,
  member,
  multipart,
  textAt,
} from '@drawbridge/piece-kit';
import { pickFields, same } from '../pick-fields.js';
import type { newMessageProps } from './properties.js';

/** The flags of a message: https://docs.discord.com/developers/resources/message#message-object-message-flags */
const FLAGS = { suppress_embeds: 1 << 2, silent: 1 << 12 };

type NewMessage = InputOf<typeof newMessageProps> & { reply_to?: string };

/** Sends a message to a channel, with its file in a multipart body: https://docs.discord.com/developers/resources/message#create-message */
export function sendTo(channelId: string, message: NewMessage, http: Http): Promise<JsonValue> {
  const request = { method: 'POST', path: expandPath('/api/v10/channels/{id}/messages', { id: channelId }) };
  const body = bodyOf(message);
  if (!message.file) return http.json({ ...request, json: body });

  const payload = { name: 'payload_json', contentType: 'application/json', content: JSON.stringify(body) };
  return http.json({ ...request, ...multipart([payload, filePart('files[0]', message.file)]) });
}

function bodyOf({ content, embeds, mentions, suppress_embeds, silent, reply_to }: NewMessage): JsonObject {
  const flags = (suppress_embeds ? FLAGS.suppress_embeds : 0) | (silent ? FLAGS.silent : 0);
  return {
    content,
    ...(embeds && { embeds }),
    ...(mentions && { allowed_mentions: { parse: mentions } }),
    ...(reply_to && { message_reference: { message_id: reply_to } }),
    ...(flags && { flags }),
  };
}

/** Returns the most useful fields of a message. A complete message has up to 40 fields. */
export function toMessage(message: JsonValue): JsonObject {
  return {
    id: textAt(message, 'id') ?? '',
    type: member(message, 'type') ?? 0,
    content: textAt(message, 'content') ?? '',
    timestamp: textAt(message, 'timestamp') ?? '',
    edited_timestamp: member(message, 'edited_timestamp') ?? null,
    author: pickFields(member(message, 'author') ?? null, same('id', 'username', 'global_name', 'bot')),
    attachments: listAt(message, 'attachments').map((one) =>
      pickFields(one, same('id', 'filename', 'url', 'size', 'content_type')),
    ),
    reply_to: textAt(message, 'message_reference', 'message_id') ?? null,
    thread_id: textAt(message, 'thread', 'id') ?? null,
  };
}
