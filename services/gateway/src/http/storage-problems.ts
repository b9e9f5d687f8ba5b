import { cutText, MAX_PATH_CHARACTERS, MAX_PROBLEMS } from '@drawbridge/contracts';

/** A protobuf Struct is decoded by recursion, a few levels for each of ours, up to a limit of its own. */
const MAX_DEPTH = 32;

type Problem = [path: string, message: string];

/**
 * What valid JSON may hold and we can't keep, by path: NUL (PostgreSQL), halves of surrogate pairs (UTF-8), numbers that are
 * read as infinite, the key `__proto__` and deep nesting (protobuf). Kept otherwise, two different texts would be one.
 */
export function storageProblems(body: unknown): Record<string, string> {
  const problems: Problem[] = [];
  visit(body, '', 0, problems);
  // Cut already: V8 hashes texts past 16,383 characters by their length alone, and whole paths as keys would collide.
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
    if (key === '__proto__') problems.push([place, 'is no name for a key']);
    else if (scalarProblem(key)) problems.push([place.replaceAll('\0', '').toWellFormed(), scalarProblem(key)!]);
    else visit((value as Record<string, unknown>)[key], place, depth + 1, problems);
  }
}

function scalarProblem(value: unknown): string | undefined {
  if (typeof value === 'number' && !Number.isFinite(value)) return 'must be a number that fits into 64 bits';
  if (typeof value !== 'string') return undefined;
  if (value.includes('\0')) return 'must not hold a NUL character';
  return value.isWellFormed() ? undefined : 'must not hold half of a surrogate pair';
}

function placeOf(parent: object, key: string, path: string): string {
  if (Array.isArray(parent)) return `${path}[${key}]`;
  return path === '' ? key : `${path}.${key}`;
}
