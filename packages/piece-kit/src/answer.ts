import { type JsonObject, type JsonValue } from './json.js';
import { type FileValue } from './property-types.js';

/** Sends one HTTP request through the egress package. Pieces have no other network access. */
export type Send = (request: SendRequest) => Promise<Answer>;

export interface SendRequest {
  method: string;
  url: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  timeoutMs?: number;
  maxBytes?: number;
  maxRedirects?: number;
  signal?: AbortSignal;
  /** Delay in milliseconds before the request is sent. A `send` that ignores it can be wrapped with `delayed`. */
  delayMs?: number;
}

export interface Answer {
  status: number;
  /** Header names are in lower case. */
  headers: Record<string, string>;
  body: Uint8Array;
  /** The URL of the response, after redirects. */
  url: string;
}

/** The common properties of a response and of a request to a webhook. */
interface Sent {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

const JSON_TYPE = /^application\/(.+\+)?json$/;
const TEXT_TYPE = /^text\/|^application\/(.+\+)?(xml|javascript|x-www-form-urlencoded|yaml)$|\+xml$/;

/** The whitespace characters of JSON (RFC 8259, section 2): space, tab, line feed, carriage return. */
const SPACES = new Set([0x20, 0x09, 0x0a, 0x0d]);
const OPEN_OBJECT = 0x7b;

/**
 * Returns a body according to its content type: parsed JSON, a string, or bytes. Returns null for an empty body, and a string for JSON that cannot be
 * parsed.
 */
export function readBody(answer: Sent): JsonValue | Uint8Array {
  if (answer.body.length === 0) return null;

  const { type, charset } = contentType(answer);
  if (JSON_TYPE.test(type)) return parse(decode(answer.body, 'utf-8'));
  return TEXT_TYPE.test(type) ? decode(answer.body, charset) : answer.body;
}

/**
 * Returns the body of a response or webhook request that can only be a JSON object, even if a proxy removed the content type. Returns undefined for
 * another content type, and for a body that is not a JSON object.
 */
export function readJson({ headers, body }: Sent): JsonObject | undefined {
  const isUntyped = !headers['content-type'];
  if (isUntyped && !isObject(body)) return undefined;
  const read = readBody({ headers: isUntyped ? { 'content-type': 'application/json' } : headers, body });
  const isRead = typeof read === 'object' && read !== null && !Array.isArray(read) && !(read instanceof Uint8Array);
  return isRead ? read : undefined;
}

/** Returns whether a body begins with `{`, so that other bodies without a content type are not parsed. */
function isObject(body: Uint8Array): boolean {
  return body.find((byte) => !SPACES.has(byte)) === OPEN_OBJECT;
}

/** Returns a response's body as a FILE. Its name comes from Content-Disposition, or from the last segment of the URL. */
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
    return new TextDecoder().decode(bytes); // TextDecoder does not support this charset.
  }
}

function parse(text: string): JsonValue {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Returns the value at a path in a provider's response, or undefined if there is none. */
export function member(value: unknown, ...path: readonly (string | number)[]): JsonValue | undefined {
  let found = value;
  for (const key of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = Reflect.get(found, key);
  }
  return found as JsonValue | undefined; // Every part of a JSON value is a JSON value.
}

/** Returns the list at a path, or an empty list if there is none. */
export function listAt(value: unknown, ...path: readonly (string | number)[]): JsonValue[] {
  const found = member(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** Returns the string at a path, or undefined if there is none or it is empty. */
export function textAt(value: unknown, ...path: readonly (string | number)[]): string | undefined {
  const found = member(value, ...path);
  return typeof found === 'string' && found !== '' ? found : undefined;
}

/** Returns the string or number at a path as a string. Returns undefined for other values, because not all of them can be converted. */
export function scalarAt(value: unknown, ...path: readonly (string | number)[]): string | undefined {
  const found = member(value, ...path);
  return typeof found === 'number' ? String(found) : typeof found === 'string' && found !== '' ? found : undefined;
}
