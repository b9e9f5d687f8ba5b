import { cutText } from './cut-text.js';
import { MAX_PATH_CHARACTERS, MAX_PROBLEMS } from './errors.js';

/** Protobuf decodes a Struct recursively, a few levels for each level of JSON, and has a depth limit of its own. */
const MAX_DEPTH = 32;

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
