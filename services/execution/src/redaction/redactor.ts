import { REDACTED } from '@drawbridge/piece-kit';
import { Automaton } from './automaton.js';
import { findSecrets } from './find-secrets.js';
import { filesIn } from './files-in.js';
import { type Content, jsonContent } from './json-content.js';
import { mayContainSecret } from './may-contain-secret.js';
import { MAX_ESCAPE_LAYERS, MAX_PATTERN_BYTES, type Pattern, patternsOf } from './patterns.js';
import { mergeRanges, type Range } from './ranges.js';
import { unescape } from './unescape.js';

const MARK = Buffer.from(REDACTED);
const QUOTED_MARK = Buffer.from(JSON.stringify(REDACTED));
/** Characters that a disguise makes of a byte at most: `&#x00041;` and a line break. */
const WIDEST = 10;

/** The mark is longer than the shortest secret: so much longer may a redacted text be, and a bit more. */
const LONGEST_GROWTH = 3;

/** What is shorter may be a word, and so the name of a field, or stand in base64 by chance. */
const LONG = 16;

const OVERHEAD_BYTES = 4_000;
/** Of one byte of a pattern: up to 48 in an automaton. There are up to six of all secrets, and six of those for keys and files. */
const BYTES_OF_PATTERN = 600;

/** Takes a credential out of what was said. What it puts in its place it never reads again. */
export interface Redactor {
  /** What it takes out. */
  secrets: readonly string[];
  /** Of memory, at most. */
  bytes: number;
  text: TextRedactor;
  /**
   * A JSON text as JSON.stringify writes it, or its beginning, for a log: strings, numbers that are a secret as a whole, and keys that hold a
   * secret which is no word.
   */
  json: TextRedactor;
  /** The same for a whole output, of which keys and files are never rewritten. */
  output(json: string): RedactedOutput;
}

/** An output without secrets, or the part that holds one and cannot be rewritten. */
export type RedactedOutput = { json: string } | { secretIn: 'FILE' | 'KEY' };

export interface TextRedactor {
  (text: string): string;
  /** Characters that what is looked for takes in its widest disguise: of a longer secret, its beginning. */
  readonly reach: number;
}

/** The time that it takes is linear in the text, however many secrets there are and however they are written. */
export function redactor(secrets: readonly string[]): Redactor {
  const patterns = patternsOf(secrets);
  const longest = secrets.reduce((most, secret) => Math.max(most, Buffer.byteLength(secret)), 0);
  const reach = WIDEST * Math.min(MAX_PATTERN_BYTES, longest);
  const bytes = OVERHEAD_BYTES + patterns.reduce((sum, pattern) => sum + BYTES_OF_PATTERN * pattern.bytes.length, 0);
  if (patterns.length === 0) {
    const same = withReach((text) => text, 0);
    return { secrets, bytes, text: same, json: same, output: (json) => ({ json }) };
  }
  const automatonFor = automata(patterns);
  const inKeys = automata(patternsOf(secrets.filter((secret) => secret.length >= LONG)));
  const numbers = new Set(secrets.filter((secret) => String(Number(secret)) === secret));
  return {
    secrets,
    bytes,
    text: withReach((text) => redactText(text, automatonFor(text)), reach),
    json: withReach(
      (json) => redactJson(json, { automaton: automatonFor(json), inKeys: inKeys(json), numbers }),
      reach,
    ),
    output(json) {
      const files = filesIn(json);
      for (const base64 of files) {
        const [text, content] = [Buffer.from(base64), Buffer.from(base64, 'base64')];
        if (holds(content, automatonFor(content)) || holds(text, inKeys(text))) return { secretIn: 'FILE' };
        if (text.length <= reach && isSecret(text, automatonFor(text))) return { secretIn: 'FILE' };
      }
      return redactOutput(json, { automaton: automatonFor(json), inKeys: inKeys(json), numbers, files });
    },
  };
}

function withReach(redact: (text: string) => string, reach: number): TextRedactor {
  return Object.assign(redact, { reach });
}

/**
 * The redacted beginning of a text of which no more than `max` characters are shown, at a price that does not grow with the
 * rest. What follows a cut is dropped: half of a secret may stand there, which nothing recognises.
 */
export function redactBeginning(text: string, max: number, redact: TextRedactor): { shown: string; isCut: boolean } {
  const margin = LONGEST_GROWTH * redact.reach;
  if (text.length <= max + 2 * margin) return { shown: redact(text), isCut: false };
  const shown = redact(text.slice(0, max + 2 * margin));
  return { shown: shown.slice(0, shown.length - margin), isCut: true };
}

/** Most texts are shorter than the longest secrets, which are then not even prepared. */
function automata(patterns: readonly Pattern[]): (text: { length: number }) => Automaton {
  const kept = new Map<number, Automaton>();
  const longest = patterns.reduce((most, { bytes }) => Math.max(most, bytes.length), 64);
  return (text) => {
    // Of UTF-8, in powers of two; at least what the keys of ours need.
    const room = 2 ** Math.ceil(Math.log2(Math.min(longest, Math.max(64, 3 * text.length))));
    const known = kept.get(room) ?? new Automaton(patterns.filter(({ bytes }) => bytes.length <= room));
    kept.set(room, known);
    return known;
  };
}

function redactText(text: string, automaton: Automaton): string {
  const bytes = Buffer.from(text);
  const found = find(bytes, automaton);
  return found.length === 0 ? text : replace(bytes, found);
}

interface Sought {
  automaton: Automaton;
  inKeys: Automaton;
  numbers: ReadonlySet<string>;
  files?: ReadonlySet<string>;
}

function redactJson(json: string, sought: Sought): string {
  const bytes = Buffer.from(json);
  const content = suspectContent(bytes, sought);
  return content ? rewritten(bytes, content, [...findValues(content, sought), ...findKeys(content, sought)]) : json;
}

function redactOutput(json: string, sought: Sought): RedactedOutput {
  const bytes = Buffer.from(json);
  const content = suspectContent(bytes, sought);
  if (!content) return { json };
  if (findKeys(content, sought).length > 0) return { secretIn: 'KEY' };
  return { json: rewritten(bytes, content, findValues(content, sought)) };
}

/** Undefined where one pass shows that there is nothing to find. */
function suspectContent(bytes: Buffer, { automaton, numbers, files = new Set() }: Sought): Content | undefined {
  if (numbers.size === 0 && !mayContainSecret(bytes, automaton)) return undefined;
  return jsonContent(bytes, { numbers, files });
}

function findValues({ values }: Content, { automaton }: Sought): Range[] {
  return find(values.bytes, automaton).map(([from, end]): Range => [values.starts[from]!, values.starts[end]!]);
}

function findKeys({ keys }: Content, { inKeys }: Sought): Range[] {
  return find(keys.bytes, inKeys).map(([from, end]): Range => [keys.starts[from]!, keys.starts[end]!]);
}

function rewritten(bytes: Buffer, { numbers }: Content, found: readonly Range[]): string {
  const all = mergeRanges([...found, ...numbers]);
  return replace(bytes, all, new Set(numbers.map(([from]) => from)));
}

function holds(bytes: Buffer, automaton: Automaton): boolean {
  return mayContainSecret(bytes, automaton) && find(bytes, automaton).length > 0;
}

/** Whether a text is a secret as a whole. A provider may show a secret as the base64 of a FILE, whose decoded bytes then say nothing. */
function isSecret(text: Buffer, automaton: Automaton): boolean {
  const [[from, end] = [-1, -1], ...others] = find(text, automaton);
  return from === 0 && end === text.length && others.length === 0;
}

/** In the text as it is, and as it reads with one, two, three layers of escapes off. */
function find(text: Uint8Array, automaton: Automaton): Range[] {
  const all: Range[] = [];
  let toText = (at: number): number => at;
  let bytes = text;
  for (let layer = 0; ; layer++) {
    for (const [start, end] of findSecrets(bytes, automaton)) all.push([toText(start), toText(end)]);
    const view = layer < MAX_ESCAPE_LAYERS ? unescape(bytes) : undefined;
    if (!view) return mergeRanges(all);
    const below = toText;
    toText = (at) => below(view.starts[at]!);
    bytes = view.bytes;
  }
}

function replace(bytes: Buffer, ranges: readonly Range[], numbers: ReadonlySet<number> = new Set()): string {
  const parts: Buffer[] = [];
  let at = 0;
  for (const [start, end] of ranges) {
    parts.push(bytes.subarray(at, start), numbers.has(start) ? QUOTED_MARK : MARK);
    at = end;
  }
  parts.push(bytes.subarray(at));
  return Buffer.concat(parts).toString();
}
