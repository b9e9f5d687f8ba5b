import { encodedFormsOf, encodedSizesOf } from './forms.js';
import { unescape } from './unescape.js';

/** Layers of escapes that a text may have, and with it a secret in it. */
export const MAX_ESCAPE_LAYERS = 3;
/** Bytes of the longest pattern. Of what is longer, its beginning and its end are looked for, each of half of that. */
export const MAX_PATTERN_BYTES = 2048;
const SHORTEST_PART = 64;
/** Bytes of all patterns: an automaton is built of them for a run, and whatever a tenant keeps, that takes milliseconds. */
const MAX_BYTES = 64 * 1024;
/** Of secrets that are looked for as escapers write them. */
const MAX_ESCAPED = 1_000;

/** Bytes to look for, and how much of what they are a part of stands around them. */
export interface Pattern {
  bytes: Uint8Array;
  before: number;
  after: number;
}

/**
 * What to look for in a text, in each of its views, so that a secret is found however it was written. What base64 or hex
 * hides is not read any further: there the secret is looked for as escapers write it, too.
 */
export function patternsOf(secrets: readonly string[]): Pattern[] {
  const unusual = secrets.filter((secret) => !/^[\w.-]*$/.test(secret)); // others are left as they are by every escaper
  const plain = [...secrets.map((secret) => Buffer.from(secret)), ...unusual.flatMap(unescaped)].map(whole);
  const escaped = unusual.length > MAX_ESCAPED ? [] : unusual.flatMap(inForms);
  for (let part = MAX_PATTERN_BYTES / 2; part >= SHORTEST_PART; part /= 2) {
    const patterns = [...plain, ...escaped].flatMap((form) => cut(form, part));
    if (patterns.reduce((sum, { bytes }) => sum + bytes.length, 0) <= MAX_BYTES) return patterns;
  }
  return plain.flatMap((form) => cut(form, SHORTEST_PART));
}

function whole(bytes: Uint8Array): Pattern {
  return { bytes, before: 0, after: 0 };
}

/** Of a long secret the forms of its beginning and its end alone: to write and search the whole of it in all of them is dear. */
function inForms(given: string): Pattern[] {
  const secret = given.toWellFormed();
  if (secret.length <= MAX_PATTERN_BYTES)
    return [...new Set(encodedFormsOf(secret))].map((form) => whole(Buffer.from(form)));
  const [from, to] = [MAX_PATTERN_BYTES / 2, secret.length - MAX_PATTERN_BYTES / 2].map((at) => endOfPoint(secret, at));
  const [head, tail] = [encodedFormsOf(secret.slice(0, from)), encodedFormsOf(secret.slice(to))];
  return encodedSizesOf(secret.slice(from, to)).flatMap((middle, form) => {
    const [first, last] = [Buffer.from(head[form]!), Buffer.from(tail[form]!)];
    return [
      { bytes: first, before: 0, after: middle + last.length },
      { bytes: last, before: first.length + middle, after: 0 },
    ];
  });
}

/** Not between the two halves of a character. */
function endOfPoint(text: string, at: number): number {
  return text.codePointAt(at - 1)! > 0xffff ? at + 1 : at;
}

/** Of one that is longer than two parts its first and its last; of what belongs to a longer secret already, its outer one. */
function cut(pattern: Pattern, part: number): Pattern[] {
  const { bytes, before, after } = pattern;
  const rest = bytes.length - part;
  const isWhole = before === 0 && after === 0;
  if (bytes.length === 0) return [];
  if (rest <= 0 || (isWhole && rest <= part)) return [pattern];
  const first = { bytes: bytes.subarray(0, part), before, after: after + rest };
  const last = { bytes: bytes.subarray(rest), before: before + rest, after };
  if (isWhole) return [first, last];
  return before > 0 ? [last] : [first];
}

/** A secret that looks like escapes reads otherwise in a view from which a layer of them is off. */
function unescaped(secret: string): Uint8Array[] {
  const read: Uint8Array[] = [];
  for (let view = unescape(Buffer.from(secret)); view && read.length < MAX_ESCAPE_LAYERS; view = unescape(view.bytes)) {
    read.push(view.bytes);
  }
  return read;
}
