import { REDACTED } from '@drawbridge/piece-kit';
import { type FindSecrets, merged, type Range, secretFinder } from './find-secrets.js';
import { contentOf, filesIn, stringsAt } from './json-content.js';
import { MAX_PATTERN_BYTES, patternsOf } from './patterns.js';

/** An escape has at most so many characters for a byte: `&#x00041;` and a line break. */
const WIDEST = 10;
/** A redacted text can be longer by this factor, because the mark is longer than the shortest secret. */
const LONGEST_GROWTH = 3;
/** A shorter secret may be a word, and so the name of a field, or stand in base64 by chance. */
const LONG = 16;
/** Memory of a redactor: one byte of a pattern is an entry of two automata. */
const BYTES = { least: 4_000, ofPattern: 400 };

/** Removes a credential from texts. It does not read its own mark again. */
export interface Redactor {
  /** The secrets that it removes. */
  secrets: readonly string[];
  /** The memory that it takes at most. */
  bytes: number;
  text: TextRedactor;
  /**
   * Redacts a JSON text as JSON.stringify writes it, or its beginning, for a log: strings, numbers that are a secret as a whole, and keys that hold a
   * secret of 16 characters or more.
   */
  json: TextRedactor;
  /** Redacts a whole output. Keys and files are never rewritten. */
  output(json: string): RedactedOutput;
}

/** An output without secrets, or the part that holds one and cannot be rewritten. */
export type RedactedOutput = { json: string } | { secretIn: 'FILE' | 'KEY' };

export interface TextRedactor {
  (text: string): string;
  /** The characters that a secret takes in its longest encoding; of a secret above 2 kB, its beginning. */
  readonly reach: number;
}

/** The time is linear in the text, however many secrets there are and however they are encoded. */
export function redactor(secrets: readonly string[]): Redactor {
  const { patterns, hasEscaped } = patternsOf(secrets);
  const bytes = BYTES.least + patterns.reduce((sum, pattern) => sum + BYTES.ofPattern * pattern.bytes.length, 0);
  const find = secretFinder(patterns);
  const findLong = secretFinder(patternsOf(secrets.filter((secret) => secret.length >= LONG)).patterns);
  const numbers = new Set(secrets.filter((secret) => String(Number(secret)) === secret));
  const longest = secrets.reduce((most, secret) => Math.max(most, Buffer.byteLength(secret)), 0);
  const reach = WIDEST * Math.min(MAX_PATTERN_BYTES, longest);
  const withReach = (redact: (text: string) => string): TextRedactor =>
    Object.assign(secrets.length > 0 ? redact : (text: string) => text, { reach });
  const search = (json: string, files: ReadonlySet<string>): Found => {
    const bytes = Buffer.from(json);
    const { strings, keys, numbers: found } = contentOf(bytes, { numbers, files });
    const all = find(strings);
    const inValues = all.length > 0 ? outside(keys, all) : all;
    const mayBeInKeys = inValues.length < all.length || !hasEscaped;
    const inKeys = mayBeInKeys ? findLong(stringsAt(bytes, keys)) : [];
    return { inValues, inKeys, numbers: found };
  };
  return {
    secrets,
    bytes,
    text: withReach((text) => replace(text, find({ bytes: Buffer.from(text) }))),
    json: withReach((json) => {
      const { inValues, inKeys, numbers: found } = search(json, new Set());
      return replace(json, inValues.concat(inKeys), found);
    }),
    output(json) {
      if (secrets.length === 0) return { json };
      const files = filesIn(json);
      if ([...files].some((base64) => holdsSecret(base64, { find, findLong, reach }))) return { secretIn: 'FILE' };
      const { inValues, inKeys, numbers: found } = search(json, files);
      return inKeys.length > 0 ? { secretIn: 'KEY' } : { json: replace(json, inValues, found) };
    },
  };
}

interface Found {
  inValues: Range[];
  /** Secrets of 16 characters or more. */
  inKeys: Range[];
  numbers: Range[];
}

/** Returns the ranges outside of these strings. Both are sorted; a range is never in two strings. */
function outside(strings: readonly Range[], ranges: readonly Range[]): Range[] {
  let next = 0;
  return ranges.filter(([start]) => {
    while (next < strings.length && strings[next]![1] <= start) next++;
    return next === strings.length || start < strings[next]![0];
  });
}

/**
 * Returns the redacted beginning of a text of which at most `max` characters are shown. The cost does not grow with the rest. The characters before a
 * cut are dropped: half of a secret is not recognised.
 */
export function redactBeginning(text: string, max: number, redact: TextRedactor): { shown: string; isCut: boolean } {
  const margin = LONGEST_GROWTH * redact.reach;
  if (text.length <= max + 2 * margin) return { shown: redact(text), isCut: false };
  const shown = redact(text.slice(0, max + 2 * margin));
  return { shown: shown.slice(0, shown.length - margin), isCut: true };
}

/** Returns whether a file has a secret. A provider can also show a secret as the base64 of a file, which then decodes to other bytes. */
function holdsSecret(base64: string, by: { find: FindSecrets; findLong: FindSecrets; reach: number }): boolean {
  const [content, text] = [Buffer.from(base64, 'base64'), Buffer.from(base64)];
  if (by.find({ bytes: content }).length > 0 || by.findLong({ bytes: text }).length > 0) return true;
  const [[from, end] = [-1, -1], ...others] = text.length <= by.reach ? by.find({ bytes: text }) : [];
  return from === 0 && end === text.length && others.length === 0;
}

/** Widens a range to whole characters: the context of a cut secret can begin and end inside of one. */
function ofCharacters(bytes: Buffer, [start, end]: Range): Range {
  while (isContinuation(bytes[start])) start--;
  while (isContinuation(bytes[end])) end++;
  return [start, end];
}

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/** Replaces ranges of the bytes of a text. The rest stays as it is, also half a character, which has no bytes of its own. */
function replace(text: string, strings: Range[], numbers: Range[] = []): string {
  if (strings.length === 0 && numbers.length === 0) return text;
  const bytes = Buffer.from(text);
  const isNumber = new Set(numbers.map(([start]) => start));
  const parts: string[] = [];
  let [at, character] = [0, 0];
  for (const [start, end] of merged(strings.map((range) => ofCharacters(bytes, range)).concat(numbers))) {
    const next = character + bytes.toString('utf8', at, start).length;
    parts.push(text.slice(character, next), isNumber.has(start) ? JSON.stringify(REDACTED) : REDACTED);
    character = next + bytes.toString('utf8', start, end).length;
    at = end;
  }
  return parts.join('') + text.slice(character);
}
