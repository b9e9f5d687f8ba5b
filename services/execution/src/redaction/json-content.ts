import { readBackslash } from './escapes.js';
import { type Range } from './ranges.js';
import { SEPARATOR, type DecodedView, ViewWriter } from './view.js';

const [QUOTE, BACKSLASH, COLON, MINUS] = [0x22, 0x5c, 0x3a, 0x2d];

export interface Content {
  /** What the values of a JSON text say that are strings. */
  values: DecodedView;
  /** What its keys say. */
  keys: DecodedView;
  /** Beginning and end of each number that was looked for. */
  numbers: Range[];
}

export interface Wanted {
  /** Numbers to find, as JSON writes them. */
  numbers: ReadonlySet<string>;
  /** Values of `base64` that are left out. */
  files: ReadonlySet<string>;
}

/** Reads a JSON text as JSON.stringify writes it, to its end or to where it was cut. Not by recursion: it may nest. */
export function jsonContent(json: Buffer, { numbers, files }: Wanted): Content {
  const [values, keys] = [new ViewWriter(json.length + 1), new ViewWriter(json.length + 1)];
  const found: Content['numbers'] = [];
  for (let at = 0; at < json.length;) {
    const byte = json[at]!;
    if (byte === QUOTE) {
      const end = endOfString(json, at);
      const isKey = json[end] === COLON;
      readString(json, at, isKey ? keys : values);
      at = isKey && files.size > 0 ? afterFile(json, { opening: at, end }, files) : end;
    } else if (numbers.size > 0 && isNumber(byte)) {
      const end = endOfNumber(json, at);
      if (numbers.has(json.toString('latin1', at, end))) found.push([at, end]);
      at = end;
    } else at++;
  }
  return { values: values.end(json.length), keys: keys.end(json.length), numbers: found };
}

/** Where the value of `base64` ends that is one of these files; else where the key ends. */
function afterFile(json: Buffer, key: { opening: number; end: number }, files: ReadonlySet<string>): number {
  const opening = key.end + 1;
  if (json[opening] !== QUOTE || json.toString('latin1', key.opening, key.end) !== '"base64"') return key.end;
  const end = endOfString(json, opening);
  return files.has(json.toString('latin1', opening + 1, end - 1)) ? end : key.end;
}

function readString(json: Buffer, opening: number, out: ViewWriter): void {
  let at = opening + 1;
  for (; at < json.length && json[at] !== QUOTE;) {
    const next = json[at] === BACKSLASH ? readBackslash(json, at, out) : at;
    if (next === at) out.byte(json[at]!, at);
    at = next === at ? at + 1 : next;
  }
  out.byte(SEPARATOR, at);
}

function endOfString(json: Buffer, opening: number): number {
  let at = opening + 1;
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
  return at + 1;
}

function endOfNumber(json: Buffer, from: number): number {
  let end = from + 1;
  while (end < json.length && /[\d.eE+-]/.test(String.fromCharCode(json[end]!))) end++;
  return end;
}

function isNumber(byte: number): boolean {
  return byte === MINUS || (byte >= 0x30 && byte <= 0x39);
}
