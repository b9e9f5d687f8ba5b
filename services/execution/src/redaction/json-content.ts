import { readBackslash } from './escapes.js';
import { type Range } from './ranges.js';
import { SEPARATOR, type DecodedView, ViewWriter } from './view.js';

const [QUOTE, BACKSLASH, COLON, MINUS] = [0x22, 0x5c, 0x3a, 0x2d];

export interface Content {
  /** What the strings of a JSON text say, keys too. */
  strings: DecodedView;
  /** Beginning and end of each number that was looked for. */
  numbers: Range[];
}

export interface Wanted {
  /** Keys that are left out. */
  ownKeys: ReadonlySet<string>;
  /** Numbers to find, as JSON writes them. */
  numbers: ReadonlySet<string>;
}

/** Reads a JSON text as JSON.stringify writes it, to its end or to where it was cut. Not by recursion: it may nest. */
export function jsonContent(json: Buffer, { ownKeys, numbers }: Wanted): Content {
  const out = new ViewWriter(json.length + 1);
  const found: Content['numbers'] = [];
  for (let at = 0; at < json.length;) {
    const byte = json[at]!;
    if (byte === QUOTE) at = isOwnKey(json, at, ownKeys) ? endOfString(json, at) : readString(json, at, out);
    else if (numbers.size > 0 && isNumber(byte)) {
      const end = endOfNumber(json, at);
      if (numbers.has(json.toString('latin1', at, end))) found.push([at, end]);
      at = end;
    } else at++;
  }
  return { strings: out.end(json.length), numbers: found };
}

function readString(json: Buffer, opening: number, out: ViewWriter): number {
  let at = opening + 1;
  for (; at < json.length && json[at] !== QUOTE;) {
    const next = json[at] === BACKSLASH ? readBackslash(json, at, out) : at;
    if (next === at) out.byte(json[at]!, at);
    at = next === at ? at + 1 : next;
  }
  out.byte(SEPARATOR, at);
  return at + 1;
}

function isOwnKey(json: Buffer, opening: number, ownKeys: ReadonlySet<string>): boolean {
  if (ownKeys.size === 0) return false;
  const end = endOfString(json, opening);
  return json[end] === COLON && ownKeys.has(json.toString('latin1', opening + 1, end - 1));
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
