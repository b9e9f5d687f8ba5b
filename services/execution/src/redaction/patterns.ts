import { type Pattern } from './automaton.js';
import { MAX_LAYERS, unescaped, type View } from './views.js';

/** Maximum length of a secret that is matched as a whole, in bytes. A longer secret is recognized by its beginning and its end, each half as long. */
export const MAX_PATTERN_BYTES = 2048;
const SHORTEST_PART = 64;
/** Maximum length of all patterns together, in bytes, because an automaton is built from them for each credential. */
const MAX_BYTES = 64 * 1024;
/** Maximum number of secrets with special characters for which the escaped forms are searched too. */
const MAX_ESCAPED = 1_000;

export interface Patterns {
  patterns: Pattern[];
  /**
   * True if the patterns contain the escaped forms of all secrets. If false, the patterns of fewer secrets may still contain them, because they need
   * fewer bytes.
   */
  hasEscaped: boolean;
}

/** Returns the patterns with which each secret is found in every supported encoding. Shortens the parts of long secrets until all patterns fit. */
export function patternsOf(secrets: readonly string[]): Patterns {
  const unusual = secrets.filter((secret) => !/^[\w.-]*$/.test(secret)); // Escapes change only these secrets.
  const plain = [...secrets.map((secret) => Buffer.from(secret)), ...unusual.flatMap(readingsOf)];
  const hasEscaped = unusual.length <= MAX_ESCAPED;
  const escaped = hasEscaped ? unusual.flatMap(formsOf) : [];
  for (let part = MAX_PATTERN_BYTES / 2; part >= SHORTEST_PART; part /= 2) {
    const patterns = [...plain, ...escaped].flatMap((bytes) => cut(bytes, part));
    if (patterns.reduce((sum, { bytes }) => sum + bytes.length, 0) <= MAX_BYTES) return { patterns, hasEscaped };
  }
  return { patterns: plain.flatMap((bytes) => cut(bytes, SHORTEST_PART)), hasEscaped: false };
}

/** Returns the decoded forms of a secret that itself contains escapes. The search decodes the text layer by layer, which changes such a secret. */
function readingsOf(secret: string): Uint8Array[] {
  const readings: Uint8Array[] = [];
  let view: View | undefined = { bytes: Buffer.from(secret) };
  while (readings.length < MAX_LAYERS && (view = unescaped(view, 'ALL'))) readings.push(view.bytes);
  return readings;
}

/** Returns the escaped forms of a secret. They are needed inside base64 and hex, because decoded base64 and hex are not unescaped again. */
function formsOf(secret: string): Uint8Array[] {
  const text = secret.toWellFormed();
  const json = JSON.stringify(text).slice(1, -1);
  const html = Object.entries(REFERENCES).reduce((result, [mark, by]) => result.replaceAll(mark, by), text);
  const url = encodeURIComponent(text);
  const strict = url.replace(/[!'()*]/g, toPercent);
  const form = url.replace(/[!'()~]/g, toPercent).replaceAll('%20', '+');
  const urls = [...new Set([url, strict, form, encodeURI(text)])].map((one) => Buffer.from(one));
  const others = new Set([json, json.replaceAll('/', '\\/'), html]);
  return [...urls, ...urls.map(withLowerCase), ...[...others].map((one) => Buffer.from(one))];
}

const REFERENCES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Writes the percent escapes of a URL in lower case: `%3a` in place of `%3A`. */
function withLowerCase(url: Buffer): Buffer {
  const lower = Buffer.from(url);
  for (let at = lower.indexOf('%'); at >= 0; at = lower.indexOf('%', at + 3)) {
    lower[at + 1]! |= 0x20;
    lower[at + 2]! |= 0x20;
  }
  return lower;
}

function toPercent(mark: string): string {
  return `%${mark.charCodeAt(0).toString(16).toUpperCase()}`;
}

function cut(bytes: Uint8Array, part: number): Pattern[] {
  if (bytes.length === 0) return [];
  if (bytes.length <= 2 * part) return [{ bytes, before: 0, after: 0 }];
  const rest = bytes.length - part;
  return [
    { bytes: bytes.subarray(0, part), before: 0, after: rest },
    { bytes: bytes.subarray(rest), before: rest, after: 0 },
  ];
}

/** Maximum number of needles. For more needles, the automaton is faster, because it searches for all patterns at the same time. */
const MOST_NEEDLES = 4;
/**
 * Length limits of a needle in bytes. A search for a shorter one takes more time. The upper limit bounds the time of a search in a text that repeats
 * the beginning of a needle.
 */
const NEEDLE_BYTES = { least: 4, most: 16 };

/**
 * A short part of each pattern, in the forms in which a text contains it: as it is and in hex, both in lower case, and an expression that matches the
 * beginning of any of them in base64.
 */
export interface Needles {
  plain: readonly string[];
  hex: readonly string[];
  base64: RegExp;
}

/**
 * Returns a short part of each pattern, called its needle. A text that contains no needle contains no pattern, and in most texts a native search for a
 * few needles is several times as fast as the automaton. Returns undefined if there are too many needles, or if the first 16 bytes of a pattern do not
 * contain four bytes in a row without a space or a plus.
 */
export function needlesOf(patterns: readonly Pattern[]): Needles | undefined {
  const { least, most } = NEEDLE_BYTES;
  const beginnings = patterns.map(({ bytes }) => Buffer.from(bytes.subarray(0, most)).toString('latin1'));
  const needles = [...new Set(beginnings.map(longestPart))];
  if (needles.length > MOST_NEEDLES || needles.some(({ length }) => length < least)) return undefined;
  return {
    plain: needles.map((needle) => needle.toLowerCase()),
    hex: needles.map((needle) => Buffer.from(needle, 'latin1').toString('hex')),
    base64: new RegExp(anyOf(needles.flatMap(base64Of))),
  };
}

/** The index of the first base64 character that contains only bits of the needle, if it follows zero, one or two other bytes. */
const FIRST_CHARACTER = [0, 2, 3];
/** Maximum number of base64 characters to search for. A text without a secret rarely contains five specific characters. */
const MOST_CHARACTERS = 5;

/**
 * Returns the first base64 characters of a needle (RFC 4648, 4) for each number of bytes that can precede it, modulo three. They contain no bits of
 * other bytes.
 */
function base64Of(needle: string): string[] {
  return FIRST_CHARACTER.map((first, before) => {
    const bytes = Buffer.from('-'.repeat(before) + needle, 'latin1'); // Any bytes can stand before the needle: no bit of them is used.
    const end = Math.floor((bytes.length * 8) / 6);
    return bytes.toString('base64').slice(first, Math.min(end, first + MOST_CHARACTERS));
  });
}

/** The characters of base64 that differ in base64url (RFC 4648, 5), as expressions that match both. */
const EITHER_ALPHABET: Record<string, string> = { '+': '[+-]', '/': '[/_]' };

/**
 * Returns an expression that matches any of the words, in base64 or base64url, also with white space between their characters. Words with the same
 * beginning share its expression. Otherwise a search would read the white space after the beginning once for each word.
 */
function anyOf(words: readonly string[]): string {
  const firsts = [...new Set(words.map((word) => word[0]!))];
  const branches = firsts.map((first) => {
    const rests = words.filter((word) => word.startsWith(first)).map((word) => word.slice(1));
    const one = EITHER_ALPHABET[first] ?? first;
    return rests.includes('') ? one : String.raw`${one}[ \t\r\n]*(?:${anyOf(rests)})`;
  });
  return branches.join('|');
}

/** Returns the longest part that contains neither a space nor a plus, because the automaton treats these two as equal. */
function longestPart(text: string): string {
  return text.split(/[ +]/).reduce((longest, part) => (part.length > longest.length ? part : longest));
}
