import { REDACTED } from '@drawbridge/piece-kit';
import { type FindSecrets, merged, secretFinder } from './find-secrets.js';
import { contentOf, filesIn, type Range, stringsAt } from './views.js';
import { MAX_PATTERN_BYTES, patternsOf } from './patterns.js';

/** Maximum number of characters that an escape uses for one byte: `&#x00041;` and a line break. */
const WIDEST = 10;
/** Maximum factor by which redaction makes a string longer, because the mark is longer than the shortest secret. */
const LONGEST_GROWTH = 3;
/**
 * Minimum length of secrets that are searched in keys and in base64 text. A shorter secret may be an ordinary word, such as the name of a field, or
 * may occur in base64 by chance.
 */
const LONG = 16;
/** Estimated memory of a redactor, in bytes. Each byte of a pattern becomes a state in two automata. */
const BYTES = { least: 4_000, ofPattern: 400 };

/** Replaces the secrets of a credential in strings by a mark. The inserted marks are not searched again. */
export interface Redactor {
  /** The secrets that the redactor removes. */
  secrets: readonly string[];
  /** The maximum memory of the redactor, in bytes. */
  bytes: number;
  text: TextRedactor;
  /**
   * Redacts the output of JSON.stringify, or its beginning, for a log. Redacts strings, numbers that are a complete secret, and keys that contain a
   * secret of at least 16 characters.
   */
  json: TextRedactor;
  /** Redacts a complete output. Keys and files are never rewritten, because the output would become unusable. */
  output(json: string): RedactedOutput;
}

/** The redacted output, or the place (a file or a key) that contains a secret and cannot be rewritten. */
export type RedactedOutput = { json: string } | { secretIn: 'FILE' | 'KEY' };

export interface TextRedactor {
  (text: string): string;
  /** The number of characters that the longest secret can have in its longest encoding. For a secret above 2 kB, only its beginning counts. */
  readonly reach: number;
}

/** Creates a redactor. Redaction takes time linear in the length of the input, regardless of the number and the encoding of the secrets. */
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
  /** Secrets of at least 16 characters in keys. */
  inKeys: Range[];
  numbers: Range[];
}

/** Returns the ranges that begin in none of `strings`. Both lists must be sorted. */
function outside(strings: readonly Range[], ranges: readonly Range[]): Range[] {
  let next = 0;
  return ranges.filter(([start]) => {
    while (next < strings.length && strings[next]![1] <= start) next++;
    return next === strings.length || start < strings[next]![0];
  });
}

/**
 * Redacts the beginning of a string, of which at most `max` characters are displayed. The cost does not depend on the length of the string. Drops the
 * characters before the cut, because a secret that the cut splits would not be recognized.
 */
export function redactBeginning(text: string, max: number, redact: TextRedactor): { shown: string; isCut: boolean } {
  const margin = LONGEST_GROWTH * redact.reach;
  if (text.length <= max + 2 * margin) return { shown: redact(text), isCut: false };
  const shown = redact(text.slice(0, max + 2 * margin));
  return { shown: shown.slice(0, shown.length - margin), isCut: true };
}

/**
 * Returns true if a file contains a secret. The base64 text is checked too, because a provider can return a secret in place of the base64 of a file.
 * It then decodes to other bytes.
 */
function holdsSecret(base64: string, by: { find: FindSecrets; findLong: FindSecrets; reach: number }): boolean {
  const [content, text] = [Buffer.from(base64, 'base64'), Buffer.from(base64)];
  if (by.find({ bytes: content }).length > 0 || by.findLong({ bytes: text }).length > 0) return true;
  const [[from, end] = [-1, -1], ...others] = text.length <= by.reach ? by.find({ bytes: text }) : [];
  return from === 0 && end === text.length && others.length === 0;
}

/** Extends a range to complete UTF-8 characters, because the range of a secret that is recognized by a part can begin and end inside a character. */
function ofCharacters(bytes: Buffer, [start, end]: Range): Range {
  while (isContinuation(bytes[start])) start--;
  while (isContinuation(bytes[end])) end++;
  return [start, end];
}

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/** Replaces byte ranges of a string. The rest is copied unchanged, including unpaired surrogates. */
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
