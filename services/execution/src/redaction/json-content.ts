import { unescaped, type View } from './decoded-view.js';
import { type Range, SEPARATOR } from './find-secrets.js';

const [QUOTE, BACKSLASH, COLON, MINUS] = [0x22, 0x5c, 0x3a, 0x2d];

/** The parts of a JSON document that can contain a secret. */
export interface Content {
  /** Keys and values, without JSON escapes, because a match must not end within an escape. */
  strings: View;
  /** The ranges of the keys within `strings`. */
  keys: Range[];
  numbers: Range[];
}

export interface Wanted {
  /** The secrets that are numbers, in the format of JSON. */
  numbers: ReadonlySet<string>;
  /** The values of `base64` keys that are files. They are skipped here. */
  files: ReadonlySet<string>;
}

/**
 * Reads the output of JSON.stringify, or its beginning. Does not recurse, because deep nesting would exhaust the stack. Overwrites everything outside
 * of strings with separators, so that no secret is found across two strings.
 */
export function contentOf(json: Buffer, { numbers, files }: Wanted): Content {
  const [keys, numbersFound]: [Range[], Range[]] = [[], []];
  let isAfterBase64 = false;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]!;
    if (byte === QUOTE) {
      const [start, end] = [at + 1, endOfString(json, at)];
      const isKey = json[end + 1] === COLON;
      if (isKey) keys.push([start, end]);
      else if (isAfterBase64 && files.has(json.toString('latin1', start, end))) json.fill(SEPARATOR, start, end);
      isAfterBase64 = isKey && files.size > 0 && json.toString('latin1', start, end) === 'base64';
      json[at] = json[end] = SEPARATOR;
      at = end;
    } else if (numbers.size > 0 && isNumber(byte)) {
      const end = endOfNumber(json, at);
      if (numbers.has(json.toString('latin1', at, end))) numbersFound.push([at, end]);
      json.fill(SEPARATOR, at, end);
      at = end - 1;
    } else json[at] = SEPARATOR;
  }
  return { strings: withoutEscapes(json), keys, numbers: numbersFound };
}

/** Returns the strings at these ranges, without JSON escapes. All other bytes become separators. */
export function stringsAt(json: Buffer, ranges: readonly Range[]): View {
  const bytes = Buffer.alloc(json.length, SEPARATOR);
  for (const [start, end] of ranges) json.copy(bytes, start, start, end);
  return withoutEscapes(bytes);
}

function withoutEscapes(bytes: Buffer): View {
  return unescaped({ bytes }, 'JSON') ?? { bytes };
}

/** Returns the position of the closing quote, or the end of the input if it is truncated. */
function endOfString(json: Buffer, opening: number): number {
  let at = opening + 1;
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
  return Math.min(at, json.length);
}

function endOfNumber(json: Buffer, from: number): number {
  let end = from + 1;
  while (end < json.length && /[\d.eE+-]/.test(String.fromCharCode(json[end]!))) end++;
  return end;
}

function isNumber(byte: number): boolean {
  return byte === MINUS || (byte >= 0x30 && byte <= 0x39);
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Returns the base64 content of each FILE in an output: an object with exactly `filename`, `mimeType` and `base64`. */
export function filesIn(json: string): ReadonlySet<string> {
  const files = new Set<string>();
  if (!json.includes('"base64":"')) return files;
  const left: unknown[] = [JSON.parse(json)];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next !== 'object' || next === null) continue;
    if (isFile(next)) files.add(next.base64);
    else for (const value of Object.values(next)) left.push(value);
  }
  return files;
}

function isFile(value: object): value is { base64: string } {
  const { filename, mimeType, base64 } = value as Record<string, unknown>;
  const isShaped = typeof filename === 'string' && typeof mimeType === 'string' && Object.keys(value).length === 3;
  return isShaped && typeof base64 === 'string' && base64.length % 4 === 0 && BASE64.test(base64);
}
