import { type FoundText } from './texts.js';

/** The longest prefix has 255 characters of two units each. */
const MAX_PREFIX = 512;
const MAX_SEGMENTS = MAX_PREFIX / 2;
const [SLASH, BACKSLASH] = [47, 92];
const SEPARATOR = /[/\\]/;
const ROOT = /^[./\\]*[/\\]/;

interface StoragePath {
  form: string;
  path: string;
}

/** Where a text that begins so stands; undefined: nowhere. The prefix is without a root. */
export type PlaceBelow = (prefix: string) => string | undefined;

/**
 * Every text as it stands and as a file system reads it, without its root: whatever it is called, it may be a path. Only those count that
 * begin with one of the shortest prefixes that are sought: undefined where there is none, as is usual. They are in order, so that many prefixes are looked up in them, and
 * none is compared with all.
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

/** In order. What begins with any of the prefixes begins with one of these. */
export function shortestOf(prefixes: Iterable<string>): string[] {
  const shortest: string[] = [];
  for (const prefix of [...prefixes].sort()) {
    const before = shortest.at(-1);
    if (before === undefined || !prefix.startsWith(before)) shortest.push(prefix);
  }
  return shortest;
}

/** The last one that is not behind it, or none: of those none begins with another. */
function beginsWithOneOf(shortest: readonly string[], form: string): boolean {
  const behind = countWhile(shortest, (prefix) => prefix <= form);
  return behind > 0 && form.startsWith(shortest[behind - 1]!);
}

/** The first that is not before the prefix begins with it, or none does. */
function find(paths: readonly StoragePath[], prefix: string): string | undefined {
  const first = paths[countWhile(paths, ({ form }) => form < prefix)];
  return first?.form.startsWith(prefix) ? first.path : undefined;
}

/** How many are at the front of which it is true: it is of none behind one of which it is not. */
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

/** Only as much as a prefix can compare. */
function beginningOf(path: string): string {
  const root = ROOT.exec(path)?.[0].length ?? 0;
  return path.slice(root, root + MAX_PREFIX).replaceAll('\\', '/');
}

/**
 * Returns the beginning of a path as a file system reads it, in one pass: `node:path` needs quadratic time for `../` after `../`. A `..` at the
 * beginning leads to the root. Segments behind the longest prefix are only counted.
 */
function normalized(path: string): string {
  const kept: string[] = [];
  let [deeper, isDirectory] = [0, false];
  for (let start = 0; start <= path.length;) {
    const end = endOfSegment(path, start);
    const length = end - start;
    isDirectory = length <= 2 && path.startsWith('..'.slice(0, length), start);
    // An empty segment and `.` stay where they are.
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

/** `/prod/`, `./prod/`, `prod/` and `prod\` are one place. */
export function withoutRoot(path: string): string {
  return path.replaceAll('\\', '/').replace(/^[./]*\//, '');
}
