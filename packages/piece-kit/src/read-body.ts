import type { JsonObject, JsonValue } from './json.js';
import type { Answer } from './send.js';
import type { FileValue } from './value-properties.js';

/** An answer, or what came to a webhook. */
interface Sent {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

const JSON_TYPE = /^application\/(.+\+)?json$/;
const TEXT_TYPE = /^text\/|^application\/(.+\+)?(xml|javascript|x-www-form-urlencoded|yaml)$|\+xml$/;

/** RFC 8259, 2: space, tab, line feed, carriage return. */
const SPACES = new Set([0x20, 0x09, 0x0a, 0x0d]);
const OPEN_OBJECT = 0x7b;

/** A body by its content type: parsed JSON, text, or the bytes; nothing is null. JSON that does not parse is text. */
export function readBody(answer: Sent): JsonValue | Uint8Array {
  if (answer.body.length === 0) return null;

  const { type, charset } = contentType(answer);
  if (JSON_TYPE.test(type)) return parse(decode(answer.body, 'utf-8'));
  return TEXT_TYPE.test(type) ? decode(answer.body, charset) : answer.body;
}

/**
 * What somebody sent who sends nothing but JSON objects: also where the type of the body was lost on its way. Undefined: it is none, or of
 * another type.
 */
export function readJson({ headers, body }: Sent): JsonObject | undefined {
  const isUntyped = !headers['content-type'];
  if (isUntyped && !isObject(body)) return undefined;
  const read = readBody({ headers: isUntyped ? { 'content-type': 'application/json' } : headers, body });
  const isRead = typeof read === 'object' && read !== null && !Array.isArray(read) && !(read instanceof Uint8Array);
  return isRead ? read : undefined;
}

/** By its first character: nothing is read of other bytes without a type. */
function isObject(body: Uint8Array): boolean {
  return body.find((byte) => !SPACES.has(byte)) === OPEN_OBJECT;
}

/** An answer's body as a FILE, named by Content-Disposition or by the last part of the address. */
export function toFile(answer: Answer): FileValue {
  const disposition = /filename="?([^";]+)"?/i.exec(answer.headers['content-disposition'] ?? '')?.[1];
  const segment = new URL(answer.url).pathname.split('/').at(-1);
  return {
    filename: disposition || segment || 'file',
    mimeType: contentType(answer).type,
    base64: Buffer.from(answer.body).toString('base64'),
  };
}

function contentType({ headers }: Sent): { type: string; charset: string } {
  const [type = '', ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';');
  const charset = parameters.map((parameter) => /^charset="?([^\s"]+)"?$/.exec(parameter.trim())?.[1]).find(Boolean);
  return { type: type.trim() || 'application/octet-stream', charset: charset ?? 'utf-8' };
}

function decode(bytes: Uint8Array, charset: string): string {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes); // an encoding that nobody knows
  }
}

function parse(text: string): JsonValue {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
