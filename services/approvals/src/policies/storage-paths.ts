import { type FoundText } from './texts.js';

/** The longest prefix has 255 characters of two UTF-16 units each. */
const MAX_PREFIX = 512;
const MAX_SEGMENTS = MAX_PREFIX / 2;
const [SLASH, BACKSLASH] = [47, 92];
const SEPARATOR = /[/\\]/;
const ROOT = /^[./\\]*[/\\]/;

interface StoragePath {
  form: string;
  path: string;
}

/** Returns the path in the input of a text that begins with the prefix; undefined if there is none. The prefix has no root. */
export type PlaceBelow = (prefix: string) => string | undefined;

/**
 * Indexes every text, as written and as a file system normalizes it, without its root: any text may be a path. Keeps only texts that begin
 * with one of the shortest prefixes, and usually returns undefined because there is none. The texts are sorted, so that each prefix is a
 * binary search.
 */
export function storagePathsOf(texts: readonly FoundText[], shortest: readonly string[]): PlaceBelow | undefined {
  const paths: StoragePath[] = [];
  for (const { text, path } of texts)
    for (const form of formsOf(text)) if (beginsWithOneOf(shortest, form)) paths.push({ form, path });
  if (paths.length === 0) return undefined;
  paths.sort((one, other) => (one.form < other.form ? -1 : Number(one.form > other.form)));
  const known = new Map<string, string | false>();
  return (prefix) => {
    let place = known.get(prefix);
    if (place === undefined) known.set(prefix, (place = find(paths, prefix) ?? false));
    return place === false ? undefined : place;
  };
}

/** Returns the sorted prefixes that no shorter prefix covers. */
export function shortestOf(prefixes: Iterable<string>): string[] {
  const shortest: string[] = [];
  for (const prefix of [...prefixes].sort()) {
    const before = shortest.at(-1);
    if (before === undefined || !prefix.startsWith(before)) shortest.push(prefix);
  }
  return shortest;
}

/** Compares with the last prefix that is not greater: no prefix begins with another, so only that one can match. */
function beginsWithOneOf(shortest: readonly string[], form: string): boolean {
  const behind = countWhile(shortest, (prefix) => prefix <= form);
  return behind > 0 && form.startsWith(shortest[behind - 1]!);
}

/** Compares with the first path that is not smaller than the prefix: if that does not match, none does. */
function find(paths: readonly StoragePath[], prefix: string): string | undefined {
  const first = paths[countWhile(paths, ({ form }) => form < prefix)];
  return first?.form.startsWith(prefix) ? first.path : undefined;
}

/** Returns how many leading items satisfy the condition. They must precede all others. */
function countWhile<T>(list: readonly T[], isTrue: (item: T) => boolean): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isTrue(list[middle]!)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function formsOf(text: string): string[] {
  if (!SEPARATOR.test(text)) return [text];
  const [plain, normal] = [beginningOf(text), withoutRoot(normalized(text))];
  return plain === normal ? [plain] : [plain, normal];
}

/** Cuts a path to the length of the longest prefix. */
function beginningOf(path: string): string {
  const root = ROOT.exec(path)?.[0].length ?? 0;
  return path.slice(root, root + MAX_PREFIX).replaceAll('\\', '/');
}

/**
 * Normalizes the beginning of a path as a file system does, in one pass: `node:path` needs quadratic time for repeated `../`. A leading `..`
 * stays at the root. Segments beyond the longest prefix are only counted.
 */
function normalized(path: string): string {
  const kept: string[] = [];
  let [deeper, isDirectory] = [0, false];
  for (let start = 0; start <= path.length;) {
    const end = endOfSegment(path, start);
    const length = end - start;
    isDirectory = length <= 2 && path.startsWith('..'.slice(0, length), start);
    // An empty segment and `.` do not change the directory.
    if (isDirectory && length === 2) {
      if (deeper > 0) deeper--;
      else kept.pop();
    } else if (!isDirectory) {
      if (kept.length < MAX_SEGMENTS) kept.push(path.slice(start, end));
      else deeper++;
    }
    start = end + 1;
  }
  return kept.join('/') + (isDirectory || deeper > 0 ? '/' : '');
}

function endOfSegment(path: string, start: number): number {
  let end = start;
  while (end < path.length && path.charCodeAt(end) !== SLASH && path.charCodeAt(end) !== BACKSLASH) end++;
  return end;
}

/** Removes the root: `/prod/`, `./prod/`, `prod/` and `prod\` are the same directory. */
export function withoutRoot(path: string): string {
  return path.replaceAll('\\', '/').replace(/^[./]*\//, '');
}
