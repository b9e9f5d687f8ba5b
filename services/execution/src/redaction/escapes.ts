import { HEX, readHex } from './hex.js';
import { type ViewWriter } from './view.js';

const [PERCENT, BACKSLASH, AMPERSAND, SEMICOLON, HASH] = [0x25, 0x5c, 0x26, 0x3b, 0x23];
const [X, U, BRACE, END_BRACE] = [0x78, 0x75, 0x7b, 0x7d];
const LAST_POINT = 0x10ffff;

/** What a backslash makes of the next character: of JSON and of most programming languages. */
const AFTER_BACKSLASH = new Map(
  [...'bfnrt"\'\\/'].map((letter, index) => [letter.charCodeAt(0), '\b\f\n\r\t"\'\\/'.charCodeAt(index)]),
);

/** Character references that escapers write; numbers cover the rest. */
const NAMED = new Map([
  ['amp', 0x26],
  ['lt', 0x3c],
  ['gt', 0x3e],
  ['quot', 0x22],
  ['apos', 0x27],
  ['nbsp', 0xa0],
]);
const LONGEST_REFERENCE = 10;

/** Writes what the escape at `at` stands for and returns where it ends; `at` itself where there is none. */
export function readEscape(bytes: Uint8Array, at: number, out: ViewWriter): number {
  switch (bytes[at]) {
    case PERCENT:
      return readPercent(bytes, at, out);
    case BACKSLASH:
      return readBackslash(bytes, at, out);
    case AMPERSAND:
      return readReference(bytes, at, out);
    default:
      return at;
  }
}

function readPercent(bytes: Uint8Array, at: number, out: ViewWriter): number {
  const value = readHex(bytes, at + 1, 2);
  if (value < 0) return at;
  out.byte(value, at);
  return at + 3;
}

export function readBackslash(bytes: Uint8Array, at: number, out: ViewWriter): number {
  const letter = bytes[at + 1];
  if (letter === X) return readPoint(bytes, { at, from: at + 2, digits: 2 }, out);
  if (letter === U) {
    return bytes[at + 2] === BRACE ? readBraces(bytes, at, out) : readUnit(bytes, at, out);
  }
  const meant = letter === undefined ? undefined : AFTER_BACKSLASH.get(letter);
  if (meant === undefined) return at;
  out.point(meant, at);
  return at + 2;
}

function readPoint(
  bytes: Uint8Array,
  { at, from, digits }: { at: number; from: number; digits: number },
  out: ViewWriter,
): number {
  const value = readHex(bytes, from, digits);
  if (value < 0) return at;
  out.point(value, at);
  return from + digits;
}

/** `\uXXXX`, with its second half where it is the first of a pair. */
function readUnit(bytes: Uint8Array, at: number, out: ViewWriter): number {
  const high = readHex(bytes, at + 2, 4);
  const isPair = high >= 0xd800 && high < 0xdc00 && bytes[at + 6] === BACKSLASH && bytes[at + 7] === U;
  const low = isPair ? readHex(bytes, at + 8, 4) : -1;
  if (low < 0xdc00 || low > 0xdfff) return readPoint(bytes, { at, from: at + 2, digits: 4 }, out);
  out.point(0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00), at);
  return at + 12;
}

function readBraces(bytes: Uint8Array, at: number, out: ViewWriter): number {
  const end = endOfDigits(bytes, at + 3, 16);
  const next = bytes[end] === END_BRACE ? readPoint(bytes, { at, from: at + 3, digits: end - at - 3 }, out) : at;
  return next === at ? at : end + 1;
}

function readReference(bytes: Uint8Array, at: number, out: ViewWriter): number {
  const end = bytes.subarray(at, at + LONGEST_REFERENCE).indexOf(SEMICOLON) + at;
  if (end < at) return at;
  const point = bytes[at + 1] === HASH ? readNumber(bytes, at + 2, end) : NAMED.get(textOf(bytes, at + 1, end));
  if (point === undefined || point < 0 || point > LAST_POINT) return at;
  out.point(point, at);
  return end + 1;
}

function readNumber(bytes: Uint8Array, from: number, end: number): number {
  const isHex = (bytes[from]! | 0x20) === X;
  if (isHex) return endOfDigits(bytes, from + 1, 16) === end ? readHex(bytes, from + 1, end - from - 1) : -1;
  return end > from && endOfDigits(bytes, from, 10) === end ? Number(textOf(bytes, from, end)) : -1;
}

function endOfDigits(bytes: Uint8Array, from: number, base: number): number {
  let end = from;
  while (end < from + 8 && end < bytes.length && HEX[bytes[end]!]! >= 0 && HEX[bytes[end]!]! < base) end++;
  return end;
}

function textOf(bytes: Uint8Array, from: number, end: number): string {
  return String.fromCharCode(...bytes.subarray(from, end));
}
