import { cutText } from './cut-text.js';
import { invalid, MAX_PATH_CHARACTERS, MAX_PROBLEMS } from './errors.js';

/** The cost of parsing grows with the number of values, not bytes: 10 MiB may be one string or five million numbers. */
export const MAX_VALUES = 50_000;
/** A key costs several times as much as a list item, because each key may be different. */
export const MAX_MEMBERS = 20_000;
/** V8 hashes strings longer than 16,383 characters only by their length, so a few hundred such keys would collide. */
export const MAX_KEY_BYTES = 4_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const OPEN_OBJECT = 0x7b;
const CLOSE_LIST = 0x5d;
const CLOSE_OBJECT = 0x7d;

/** Limits for the content of a JSON document. */
interface Most {
  values: number;
  members: number;
  levels: number;
}

/** Depth is unlimited here, because `storageProblems` checks it after parsing. */
const MOST: Most = { values: MAX_VALUES, members: MAX_MEMBERS, levels: Infinity };

/** Limits the cost of parsing a JSON document before it is parsed. Throws VALIDATION_ERROR. Ignores malformed JSON. */
export function requireParsable(text: Uint8Array, most = MOST): void {
  if (text.length <= MAX_KEY_BYTES && most.levels >= text.length) return; // most documents are too short to exceed any limit
  let [values, members, levels, textBytes] = [0, 0, 0, 0];
  for (let at = 0; at < text.length; at++) {
    const byte = text[at];
    if (byte === QUOTE) {
      const end = endOfText(text, at + 1);
      textBytes = end - at - 1;
      at = end;
    } else if (byte === COLON) {
      if (textBytes > MAX_KEY_BYTES) throw invalid({ body: `must not have a key of more than ${MAX_KEY_BYTES} bytes` });
      if (++members > most.members) throw invalid({ body: `must have at most ${most.members} keys` });
    } else if (byte === COMMA || byte === OPEN_LIST || byte === OPEN_OBJECT) {
      // Counts commas and opening brackets: each value except the first follows a comma, or is the first value of a list or an object.
      if (++values > most.values) throw invalid({ body: `must have at most ${most.values} values` });
      if (byte !== COMMA && ++levels > most.levels) {
        throw invalid({ body: `must not nest deeper than ${most.levels} levels` });
      }
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) levels--;
  }
}

/** Returns the index of the quote that ends the string with content that starts at `at`. */
function endOfText(text: Uint8Array, at: number): number {
  while (at < text.length && text[at] !== QUOTE) at += text[at] === BACKSLASH ? 2 : 1;
  return at;
}

/** Maximum depth of JSON. Protobuf decodes one level of JSON in a Struct as several nested messages, and limits their depth. */
const MAX_DEPTH = 32;

type Problem = [path: string, message: string];

/**
 * Returns the parts of valid JSON that cannot be stored unchanged, by path: NUL (PostgreSQL), unpaired surrogates (UTF-8), numbers that are parsed as
 * infinite, the key `__proto__` and deep nesting (protobuf). If they were altered, two different values could become equal.
 */
export function storageProblems(body: unknown): Record<string, string> {
  const problems: Problem[] = [];
  visit(body, '', 0, problems);
  // The paths are shortened here: V8 hashes strings longer than 16,383 characters only by their length, so long paths would collide as keys.
  return Object.fromEntries(problems.map(([path, message]) => [cutText(path, MAX_PATH_CHARACTERS), message]));
}

function visit(value: unknown, path: string, depth: number, problems: Problem[]): void {
  const problem = scalarProblem(value);
  if (problem) problems.push([path, problem]);
  if (typeof value !== 'object' || value === null) return;
  if (depth === MAX_DEPTH) return void problems.push([path, `must not nest deeper than ${MAX_DEPTH} levels`]);
  for (const key of Object.keys(value)) {
    if (problems.length === MAX_PROBLEMS) return;
    const place = placeOf(value, key, path);
    if (key === '__proto__') problems.push([place, 'is not allowed as a key']);
    else if (scalarProblem(key)) problems.push([place.replaceAll('\0', '').toWellFormed(), scalarProblem(key)!]);
    else visit((value as Record<string, unknown>)[key], place, depth + 1, problems);
  }
}

function scalarProblem(value: unknown): string | undefined {
  if (typeof value === 'number' && !Number.isFinite(value)) return 'must be a number that fits into 64 bits';
  if (typeof value !== 'string') return undefined;
  if (value.includes('\0')) return 'must not contain a NUL character';
  return value.isWellFormed() ? undefined : 'must not hold half of a surrogate pair';
}

function placeOf(parent: object, key: string, path: string): string {
  if (Array.isArray(parent)) return `${path}[${key}]`;
  return path === '' ? key : `${path}.${key}`;
}

const OPENING = new Set([OPEN_LIST, OPEN_OBJECT]);
const CLOSING = new Set([CLOSE_LIST, CLOSE_OBJECT]);

/** Returns whether a JSON document is nested deeper than `levels`. Scans it once without parsing it. */
export function nestsDeeper(json: string, levels: number): boolean {
  for (let at = 0, level = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) at = closingQuoteAfter(json, at);
    else if (OPENING.has(code)) level++;
    else if (CLOSING.has(code)) level--;
    if (level > levels) return true;
  }
  return false;
}

/** Returns the index of the closing quote, or the length of the document if there is none. */
function closingQuoteAfter(json: string, opening: number): number {
  let at = json.indexOf('"', opening + 1);
  while (at > 0 && isEscaped(json, at)) at = json.indexOf('"', at + 1);
  return at < 0 ? json.length : at;
}

function isEscaped(json: string, at: number): boolean {
  let slashes = 0;
  while (json.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes++;
  return slashes % 2 === 1;
}
