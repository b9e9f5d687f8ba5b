import { Automaton, type Match, type Pattern } from './automaton.js';
import { type Needles, needlesOf } from './patterns.js';
import { HEX, MAX_LAYERS, type Range, SEPARATOR, unescaped, type View } from './views.js';

const [SKIPPED, BREAK] = [-2, -1];

/**
 * An encoding of bytes. `values` contains the bits of each character, SKIPPED for white space, and BREAK for a character that ends the encoded
 * string.
 */
interface Encoding {
  values: Int16Array;
  /** Number of bits per character. */
  width: number;
  /** The bit offsets at which a byte can end within a character are multiples of this number of bits. */
  step: number;
  /** Returns false if the text contains none of the needles in this encoding. If it returns true, the automaton decides. */
  mayContain(text: Searchable, needles: Needles): boolean;
}

/** A text that can be searched natively, with one character for each byte. Plain text and hex are searched in lower case, base64 as it is. */
interface Searchable {
  exact: string;
  lowerCase: string;
}

const BASE64 = new Int16Array(256).fill(BREAK);
for (const [index, letter] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].entries()) {
  BASE64[letter.charCodeAt(0)] = index;
}
for (const [index, letter] of [...'-_'].entries()) BASE64[letter.charCodeAt(0)] = 62 + index;
for (const letter of ' \t\r\n') BASE64[letter.charCodeAt(0)] = SKIPPED;

const ENCODINGS: readonly Encoding[] = [
  {
    values: Int16Array.from({ length: 256 }, (_, byte) => (byte === SEPARATOR ? BREAK : byte)),
    width: 8,
    step: 8,
    mayContain: ({ lowerCase }, { plain }) => plain.some((needle) => lowerCase.includes(needle)),
  },
  {
    values: HEX,
    width: 4,
    step: 4,
    mayContain: ({ lowerCase }, { hex }) => hex.some((needle) => lowerCase.includes(needle)),
  },
  { values: BASE64, width: 6, step: 2, mayContain: ({ exact }, { base64 }) => base64.test(exact) },
];

/** Returns the positions of secrets as sorted ranges that do not overlap. */
export type FindSecrets = (text: View) => Range[];

/**
 * Returns a function that finds secrets in plain text, hex and base64, also within up to three layers of escapes. Its time is linear in the length of
 * the input.
 */
export function secretFinder(patterns: readonly Pattern[]): FindSecrets {
  let automaton: Automaton | undefined;
  if (patterns.length === 0) return () => [];
  const needles = needlesOf(patterns);
  return (text) => {
    const found: Range[] = [];
    let view: View | undefined = text;
    for (let layer = 0; view && layer <= MAX_LAYERS; layer++) {
      const searched = needles && searchable(view.bytes);
      for (const encoding of ENCODINGS) {
        if (searched && !encoding.mayContain(searched, needles)) continue;
        automaton ??= new Automaton(patterns); // Created on first use, because most texts contain no needle.
        search(view, encoding, automaton, found);
      }
      view = layer < MAX_LAYERS ? unescaped(view, 'ALL') : undefined;
    }
    return merged(found);
  };
}

function searchable({ buffer, byteOffset, length }: Uint8Array): Searchable {
  const exact = Buffer.from(buffer, byteOffset, length).toString('latin1');
  return { exact, lowerCase: exact.toLowerCase() };
}

/**
 * Searches one encoding of the text and reads each character once. A character can end a byte at up to three bit offsets, depending on where the
 * encoded string begins. Each offset has a separate state of the automaton.
 */
function search({ bytes, places }: View, encoding: Encoding, automaton: Automaton, found: Range[]): void {
  const { values, width, step } = encoding;
  const { root, matches } = automaton;
  const ranges = new EncodedRanges(width);
  const states = new Int32Array(8);
  /** Zero if no pattern has begun at any offset. This is true at most positions, and the check for it makes the search three times as fast. */
  let begun = 0;
  let bits = 0;
  let begin = 0;
  let count = 0;
  for (let at = 0; at < bytes.length; at++) {
    const value = values[bytes[at]!]!;
    if (value === SKIPPED) continue;
    count++;
    if (value === BREAK) {
      if (begun !== 0) states.fill(0);
      begun = 0;
      ranges.cut(count - 1);
      begin = count;
      continue;
    }
    bits = ((bits << width) | value) & 0xffff;
    if (begun === 0 && !begins(root, bits, step)) continue;
    for (let end = (count - begin) * width, shift = 0; shift < width && end >= 8; shift += step, end -= step) {
      const byte = (bits >> shift) & 0xff;
      const state = states[end & 7]!;
      const next = state === 0 ? root[byte]! : automaton.step(state, byte);
      states[end & 7] = next;
      if (next === 0) continue;
      const match = matches[next];
      if (match) ranges.add(begin, end, match);
    }
    begun = states[0]! | states[2]! | states[4]! | states[6]!;
  }
  ranges.cut(count);
  ranges.addTo(found, { bytes, places }, values);
}

/**
 * Returns the positions of the bytes that are not skipped, or undefined if the encoding skips no bytes, because positions then need no conversion.
 */
function indexOfRead(bytes: Uint8Array, values: Int16Array): Int32Array | undefined {
  if (!values.includes(SKIPPED)) return undefined;
  const indexes = new Int32Array(bytes.length);
  let count = 0;
  for (let at = 0; at < bytes.length; at++) if (values[bytes[at]!] !== SKIPPED) indexes[count++] = at;
  return indexes;
}

function begins(root: Int32Array, bits: number, step: number): boolean {
  if (root[bits & 0xff] !== 0) return true;
  return step === 2 && (root[(bits >> 2) & 0xff] !== 0 || root[(bits >> 4) & 0xff] !== 0);
}

/** Collects the ranges of matched characters in encoded strings. */
class EncodedRanges {
  private readonly flat: number[] = [];
  private end = 0;

  constructor(private readonly width: number) {}

  /** Adds a match that ends at a bit of the encoded string that starts at `begin`. Merges overlapping ranges. */
  add(begin: number, bit: number, { upTo, after }: Match): void {
    const { flat, width } = this;
    let from = begin + Math.max(0, Math.floor((bit - 8 * upTo) / width));
    let to = begin + Math.ceil((bit + 8 * after) / width);
    while (flat.length > 0 && this.end > from) {
      to = Math.max(to, flat.pop()!);
      from = Math.min(from, flat.pop()!);
      this.end = flat.at(-1) ?? 0;
    }
    flat.push(from, to);
    this.end = to;
  }

  /** Shortens the last range if it exceeds the end of its encoded string. */
  cut(limit: number): void {
    if (this.end <= limit) return;
    this.flat[this.flat.length - 1] = limit;
    this.end = limit;
  }

  addTo(found: Range[], { bytes, places }: View, values: Int16Array): void {
    const ofCharacters = this.flat.length > 0 ? indexOfRead(bytes, values) : undefined;
    for (let index = 0; index < this.flat.length; index += 2) {
      const [first, next] = [this.flat[index]!, this.flat[index + 1]!];
      const [start, end] = ofCharacters ? [ofCharacters[first]!, ofCharacters[next - 1]! + 1] : [first, next];
      found.push(places ? [places[start]!, places[end]!] : [start, end]);
    }
  }
}

export function merged(ranges: Range[]): Range[] {
  const result: Range[] = [];
  for (const [start, end] of ranges.sort((a, b) => a[0] - b[0])) {
    const last = result.at(-1);
    if (last && start < last[1]) last[1] = Math.max(last[1], end);
    else if (end > start) result.push([start, end]);
  }
  return result;
}
