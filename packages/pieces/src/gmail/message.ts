import { listAt, member, textAt, type JsonObject, type JsonValue } from '@drawbridge/piece-kit';
import { parseAddresses } from './addresses.js';

/** Maximum number of characters of a text body and an HTML body. `html: 0` omits the HTML of a message with text. */
export interface Limits {
  text: number;
  html: number;
}

const WHOLE: Limits = { text: 1_000_000, html: 1_000_000 };
/** Lower limits, because several messages must fit into one output. */
export const IN_LIST: Limits = { text: 20_000, html: 0 };
export const IN_EVENT: Limits = { text: 200_000, html: 200_000 };

const MAX_ATTACHMENTS = 100;

/**
 * Returns the sender, the recipients, the time and the subject of a message:
 * https://developers.google.com/workspace/gmail/api/reference/rest/v1/users.messages
 */
export function toSummary(message: JsonValue): JsonObject {
  const headers = headersOf(message);
  const time = new Date(Number(textAt(message, 'internalDate') ?? NaN));
  return {
    id: textAt(message, 'id') ?? null,
    threadId: textAt(message, 'threadId') ?? null,
    labelIds: listAt(message, 'labelIds'),
    from: parseAddresses(headers.get('from'))[0] ?? null,
    replyTo: parseAddresses(headers.get('reply-to')),
    to: parseAddresses(headers.get('to')),
    cc: parseAddresses(headers.get('cc')),
    subject: headers.get('subject') ?? '',
    date: Number.isNaN(time.getTime()) ? null : time.toISOString(),
    snippet: textAt(message, 'snippet') ?? '',
  };
}

/** Returns a message with its bodies and the names and ids of its attachments. Bodies that exceed the limits are shortened. */
export function toMessage(message: JsonValue, limits: Limits = WHOLE): JsonObject {
  const parts = partsOf(message);
  const bodyOf = (type: string) =>
    parts.filter((part) => isBody(part) && textAt(part, 'mimeType') === type).map(textOf);
  const [text, html] = [bodyOf('text/plain').join('\n'), bodyOf('text/html').join('\n')];
  const maxHtml = limits.html || (text ? 0 : limits.text);
  return {
    ...toSummary(message),
    text: cut(text, limits.text) || null,
    html: cut(html, maxHtml) || null,
    isCut: text.length > limits.text || (maxHtml > 0 && html.length > maxHtml),
    attachments: attachmentsOf(message),
  };
}

/** Returns the attachments of a message. Their ids are those of the parts, because Gmail changes the ids of attachments with each read. */
export function attachmentsOf(message: JsonValue): { id: string; filename: string; mimeType: string; size: number }[] {
  const files = partsOf(message).filter((part) => !isBody(part) && !isContainer(part));
  return files.slice(0, MAX_ATTACHMENTS).map((part) => ({
    id: partId(part),
    filename: textAt(part, 'filename') ?? 'attachment',
    mimeType: textAt(part, 'mimeType') ?? 'application/octet-stream',
    size: Number(member(part, 'body', 'size') ?? 0),
  }));
}

/** Returns the id of a part. Gmail assigns none to the only part of a message. */
export const partId = (part: JsonValue): string => textAt(part, 'partId') ?? 'root';

const isContainer = (part: JsonValue): boolean =>
  listAt(part, 'parts').length > 0 || (textAt(part, 'mimeType') ?? '').startsWith('multipart/');

/** Returns all parts of a message in order, without recursion, because a message can be nested deeply. */
export function partsOf(message: JsonValue): JsonValue[] {
  const found: JsonValue[] = [];
  const left: JsonValue[] = [member(message, 'payload') ?? {}];
  for (let part = left.pop(); part !== undefined; part = left.pop()) {
    found.push(part);
    left.push(...listAt(part, 'parts').toReversed());
  }
  return found;
}

/** Returns the headers by name in lower case. If a name is repeated, the first header counts. */
export function headersOf(message: JsonValue): Map<string, string> {
  const headers = listAt(message, 'payload', 'headers').map(
    (header) => [textAt(header, 'name')?.toLowerCase() ?? '', textAt(header, 'value') ?? ''] as const,
  );
  return new Map(headers.reverse());
}

/** Returns whether a part is a text of the message. A very long text is an attachment, because Gmail stores it like one. */
function isBody(part: JsonValue): boolean {
  const isText = /^text\/(plain|html)$/.test(textAt(part, 'mimeType') ?? '');
  return isText && !textAt(part, 'filename') && !textAt(part, 'body', 'attachmentId');
}

/** Gmail usually converts text to UTF-8. The declared charset is used for bytes that are not UTF-8, and for ISO-2022, which looks like ASCII. */
function textOf(part: JsonValue): string {
  const bytes = Buffer.from(textAt(part, 'body', 'data') ?? '', 'base64url');
  const type = headersOf({ payload: part }).get('content-type') ?? '';
  const charset = /charset="?([\w.:-]{1,40})/i.exec(type)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(bytes.includes(ESCAPE) ? charset : 'utf-8', { fatal: true }).decode(bytes);
  } catch {
    return decode(bytes, charset);
  }
}

const ESCAPE = 0x1b;

function decode(bytes: Uint8Array, charset: string): string {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes); // The charset is unknown.
  }
}

/** Does not split a surrogate pair. */
const cut = (text: string, max: number): string => text.slice(0, max).replace(/[\ud800-\udbff]$/, '');
