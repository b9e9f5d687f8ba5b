/** A decoded form of a string, as bytes. */
export interface View {
  bytes: Uint8Array;
  /** The position of each byte, and of the end, in the original string. Undefined if nothing was decoded, because the positions are then equal. */
  places?: Int32Array;
}

/** A range of positions. */
export type Range = [start: number, end: number];

/** A byte that separates strings, so that no secret spans two of them. UTF-8 does not contain it. */
export const SEPARATOR = 0xff;

/** Maximum number of layers of escapes that are decoded. */
export const MAX_LAYERS = 3;
const [PERCENT, BACKSLASH, AMPERSAND] = [0x25, 0x5c, 0x26];
const LONGEST_ESCAPE = 12;

/** The value of each byte as a hexadecimal digit of either case, or -1. */
export const HEX = Int16Array.from({ length: 256 }, (_, byte) => '0123456789abcdef'.indexOf(lowerCase(byte)));

/** By the character after a backslash: the byte that the escape stands for in JSON and most programming languages, or -1. */
const AFTER_BACKSLASH = new Int16Array(256).fill(-1);
for (const [index, letter] of [...'bfnrt"\'\\/'].entries()) {
  AFTER_BACKSLASH[letter.charCodeAt(0)] = '\b\f\n\r\t"\'\\/'.charCodeAt(index);
}

const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };
/** Matches character references of HTML, and escapes of code points in JSON and programming languages. */
const CODE_POINT = new RegExp(
  [
    String.raw`^\\u(?<high>d[89ab]..)\\u(?<low>d[c-f]..)`.replaceAll('.', String.raw`[\da-f]`),
    String.raw`^\\(?:u(?<unit>[\da-f]{4})|u\{(?<point>[\da-f]{1,6})\}|x(?<byte>[\da-f]{2}))`,
    String.raw`^&(?:#x(?<hex>[\da-f]{1,6})|#(?<decimal>\d{1,7})|(?<name>amp|lt|gt|quot|apos|nbsp));`,
  ].join('|'),
  'i',
);

/** Removes one layer of escapes: of JSON only, or of JSON, URLs and HTML. Returns undefined if there are no escapes. */
export function unescaped({ bytes, places }: View, escapes: 'JSON' | 'ALL'): View | undefined {
  const marks = escapes === 'JSON' ? [BACKSLASH] : [BACKSLASH, PERCENT, AMPERSAND];
  if (!marks.some((mark) => bytes.includes(mark))) return undefined;
  const [text, decoded] = [Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), new Uint8Array(bytes.length)];
  const decodedPlaces = new Int32Array(bytes.length + 1);
  let length = 0;
  const put = (byte: number, at: number): void => {
    decoded[length] = byte;
    decodedPlaces[length++] = places ? places[at]! : at;
  };
  for (let at = 0; at < bytes.length;) {
    const byte = bytes[at]!;
    if (!marks.includes(byte)) {
      put(byte, at++);
      continue;
    }
    const meant = byteMeant(bytes, at);
    const longer = meant < 0 ? characterMeant(text, at) : undefined;
    if (longer) for (const one of Buffer.from(longer.character)) put(one, at);
    else put(meant < 0 ? byte : meant, at);
    if (longer) at += longer.length;
    else if (meant < 0) at += 1;
    else at += byte === PERCENT ? 3 : 2;
  }
  if (length === bytes.length) return undefined;
  decodedPlaces[length] = places ? places[bytes.length]! : bytes.length;
  return { bytes: decoded.subarray(0, length), places: decodedPlaces.subarray(0, length + 1) };
}

/** Returns the byte that `%xx`, or a backslash and one character, stands for. Returns -1 for other input. */
function byteMeant(bytes: Uint8Array, at: number): number {
  const [next, second] = [bytes[at + 1] ?? 0, bytes[at + 2] ?? 0];
  if (bytes[at] === BACKSLASH) return AFTER_BACKSLASH[next]!;
  if (bytes[at] === PERCENT && HEX[next]! >= 0 && HEX[second]! >= 0) return HEX[next]! * 16 + HEX[second]!;
  return -1;
}

function characterMeant(text: Buffer, at: number): { character: string; length: number } | undefined {
  const found = CODE_POINT.exec(text.toString('latin1', at, at + LONGEST_ESCAPE));
  if (!found) return undefined;
  const { high, low, unit, point, byte, hex, decimal, name } = found.groups!;
  const length = found[0].length;
  if (name) return { character: NAMED[name.toLowerCase()]!, length };
  if (high) return { character: String.fromCharCode(Number.parseInt(high, 16), Number.parseInt(low!, 16)), length };
  const value = decimal ? Number(decimal) : Number.parseInt(unit ?? point ?? byte ?? hex!, 16);
  return value > 0x10ffff ? undefined : { character: String.fromCodePoint(value), length };
}

function lowerCase(byte: number): string {
  return String.fromCharCode(byte).toLowerCase();
}

const [QUOTE, COLON, MINUS] = [0x22, 0x3a, 0x2d];

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
 * of strings with separators, so that a match never includes bytes of two strings.
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
