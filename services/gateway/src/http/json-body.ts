import { ApiError, cutText, invalid, MAX_PATH_CHARACTERS, MAX_PROBLEMS } from '@drawbridge/contracts';
import { type Request, type RequestHandler } from 'express';
import { type Kind } from '../admission/limits.js';
import { type Slots, slotsOf } from '../admission/slots.js';
import { LARGE_BYTES, readBody } from './read-body.js';
import { contextOf } from './request-context.js';
import { operationOf } from './route-table.js';

/** A longer value is not a media type, and media-type parsers need seconds for it. */
const MAX_TYPE_CHARACTERS = 200;

/**
 * Reads the body of an operation that declares one, after its caller is known: UTF-8 JSON that can be stored unchanged. An empty body counts as an
 * empty object, so that the error names the missing keys. Throws VALIDATION_ERROR, and TIMEOUT (408) for a slow body.
 */
export function jsonBody(slots: Slots, large: Kind = 'body past 64 kB'): RequestHandler {
  return async (request, response, next) => {
    if (request.originalUrl.includes('%00')) throw invalid({ url: 'must not contain a NUL character' });
    const { maxBodyBytes } = operationOf(response);
    if (maxBodyBytes === undefined) return next();
    if (hasBody(request)) requireJson(request.get('content-type') ?? '');

    const organization = contextOf(response).caller?.orgId ?? '';
    const makeRoom = (): Promise<void> => slotsOf(response).take(large, { organization });
    const bytes = await readBody(request, { limit: maxBodyBytes, makeRoom });
    if (bytes.length > LARGE_BYTES) await takeEventLoop(slots, organization);
    if (response.closed) return; // the caller hung up: the next body can be parsed
    response.locals['bodyBytes'] = bytes.length;
    request.body = bytes.length === 0 ? {} : parseJson(bytes);
    next();
  };
}

/** Resolves when a large body may be parsed. Afterwards the event loop stays free for other work for as long as the parsing took. */
export async function takeEventLoop(slots: Slots, organization: string): Promise<void> {
  const release = await slots.take(
    'parsing of a body past 64 kB',
    { organization },
    () => new AbortController().signal,
  );
  const startedAt = performance.now();
  setImmediate(() => setTimeout(release, performance.now() - startedAt));
}

function hasBody(request: Request): boolean {
  const length = request.get('content-length');
  return request.get('transfer-encoding') !== undefined || (length !== undefined && length !== '0');
}

function requireJson(contentType: string): void {
  const [type = '', ...parameters] = contentType.slice(0, MAX_TYPE_CHARACTERS).toLowerCase().split(';');
  if (type.trim() !== 'application/json') throw invalid({ 'Content-Type': 'must be application/json' });
  const charset = parameters.find((parameter) => parameter.trim().startsWith('charset='));
  const isUtf8 = charset === undefined || /^\s*charset="?utf-?8"?\s*$/.test(charset);
  if (!isUtf8 || contentType.length > MAX_TYPE_CHARACTERS) {
    throw invalid({ 'Content-Type': 'must be application/json in UTF-8' });
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** The cost of parsing grows with the number of values, not with bytes: 10 MiB may be one string or five million numbers. */
export const MAX_VALUES = 50_000;
/** A key costs several times as much as a list item, because each key may be different. */
export const MAX_MEMBERS = 20_000;
/** V8 hashes strings longer than 16,383 characters by their length alone: a few hundred such keys would collide with one another. */
export const MAX_KEY_BYTES = 4_000;

/** Protobuf decodes a Struct recursively, a few levels for each level of JSON, and has a depth limit of its own. */
const MAX_DEPTH = 32;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const OPEN_OBJECT = 0x7b;
const CLOSE_LIST = 0x5d;
const CLOSE_OBJECT = 0x7d;

/** Parses UTF-8 JSON to a value that can be stored unchanged. Throws VALIDATION_ERROR. */
export function parseJson(bytes: Buffer): unknown {
  requireParsable(bytes);
  const value = parsed(bytes);
  const problems = storageProblems(value);
  if (Object.keys(problems).length > 0) throw invalid(problems);
  return value;
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(UTF8.decode(bytes));
  } catch {
    throw new ApiError('VALIDATION_ERROR', 'The body is not valid JSON');
  }
}

/** Limits on the content of a JSON text. */
interface Most {
  values: number;
  members: number;
  levels: number;
}

/** `storageProblems` checks the depth after parsing. */
const MOST: Most = { values: MAX_VALUES, members: MAX_MEMBERS, levels: Infinity };

/** Limits the cost of parsing a JSON text before it is parsed. Throws VALIDATION_ERROR; ignores malformed text. */
export function requireParsable(text: Uint8Array, most = MOST): void {
  if (text.length <= MAX_KEY_BYTES && most.levels >= text.length) return; // most texts are too short to exceed any limit
  let [values, members, levels, textBytes] = [0, 0, 0, 0];
  for (let at = 0; at < text.length; at++) {
    const byte = text[at];
    if (byte === QUOTE) {
      const end = endOfText(text, at + 1);
      textBytes = end - at - 1;
      at = end;
    } else if (byte === COLON) {
      if (textBytes > MAX_KEY_BYTES) throw invalid({ body: `must not have a key of more than ${MAX_KEY_BYTES} bytes` });
      if (++members > most.members) throw invalid({ body: `must not have more than ${most.members} keys` });
    } else if (byte === COMMA || byte === OPEN_LIST || byte === OPEN_OBJECT) {
      // Each value but the first follows a comma or opens its list or object.
      if (++values > most.values) throw invalid({ body: `must not have more than ${most.values} values` });
      if (byte !== COMMA && ++levels > most.levels) {
        throw invalid({ body: `must not nest deeper than ${most.levels} levels` });
      }
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) levels--;
  }
}

/** Returns the index of the quote that ends the string whose content starts at `at`. */
function endOfText(text: Uint8Array, at: number): number {
  while (at < text.length && text[at] !== QUOTE) at += text[at] === BACKSLASH ? 2 : 1;
  return at;
}

type Problem = [path: string, message: string];

/**
 * Returns the parts of valid JSON that cannot be stored unchanged, by path: NUL (PostgreSQL), unpaired surrogates (UTF-8), numbers that are read as
 * infinite, the key `__proto__` and deep nesting (protobuf). Altered on storage, two different texts could become equal.
 */
export function storageProblems(body: unknown): Record<string, string> {
  const problems: Problem[] = [];
  visit(body, '', 0, problems);
  // The paths are cut here: V8 hashes strings longer than 16,383 characters by their length alone, so whole paths would collide as keys.
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
