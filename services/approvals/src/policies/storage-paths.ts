import { type FoundText } from './read-input.js';

/** Maximum length of a prefix in UTF-16 code units. A prefix has at most 255 characters of two units each. */
const MAX_PREFIX = 512;
const MAX_SEGMENTS = MAX_PREFIX / 2;
/** Maximum total length of the string beginnings that are looked up among the prefixes. This many characters take about 0.2 s. */
const MAX_LOOKED_UP = 100_000_000;
const [SLASH, BACKSLASH] = [47, 92];
const SEPARATOR = /[/\\]/;
const ROOT = /^[./\\]*[/\\]/;

/** The storage path prefixes of all policies, without a root such as `/` or `./`. */
export interface PathPrefixes {
  all: ReadonlySet<string>;
  /** The lengths of the prefixes, in ascending order. */
  lengths: readonly number[];
}

export function toPathPrefixes(prefixes: Iterable<string>): PathPrefixes {
  const all = new Set(prefixes);
  const lengths = new Set([...all].map(({ length }) => length));
  return { all, lengths: [...lengths].sort((one, other) => one - other) };
}

export interface StoragePaths {
  /** For each prefix, the path of the first string that begins with it. */
  places: ReadonlyMap<string, string>;
  areTooMany: boolean;
}

/**
 * Finds the strings of an input that begin with a prefix. Compares every string, because any string may be a path, both as written and as a file
 * system normalizes it. The cost of a string grows with the number of different prefix lengths, not with the number of prefixes.
 */
export function storagePathsOf(texts: readonly FoundText[], { all, lengths }: PathPrefixes): StoragePaths {
  const places = new Map<string, string>();
  let looked = 0;
  const lookUp = (form: string, path: string): void => {
    for (const length of lengths) {
      if (length > form.length) return;
      looked += length;
      const beginning = form.slice(0, length);
      if (all.has(beginning) && !places.has(beginning)) places.set(beginning, path);
    }
  };
  for (const { text, path } of texts) {
    for (const form of formsOf(text)) lookUp(form, path);
    if (looked > MAX_LOOKED_UP) return { places, areTooMany: true };
  }
  return { places, areTooMany: false };
}

function formsOf(text: string): string[] {
  if (!SEPARATOR.test(text)) return [text];
  const [plain, normal] = [beginningOf(text), withoutRoot(normalized(text))];
  return plain === normal ? [plain] : [plain, normal];
}

/** Returns the beginning of a path without its root, up to the length of the longest possible prefix. */
function beginningOf(path: string): string {
  const root = ROOT.exec(path)?.[0].length ?? 0;
  return path.slice(root, root + MAX_PREFIX).replaceAll('\\', '/');
}

/**
 * Normalizes the beginning of a path like a file system. Needs one pass, because `node:path` needs quadratic time for repeated `../`. A leading `..`
 * stays at the root. Segments beyond the longest prefix are counted but not stored.
 */
function normalized(path: string): string {
  const kept: string[] = [];
  let [deeper, isDirectory] = [0, false];
  for (let start = 0; start <= path.length;) {
    const end = endOfSegment(path, start);
    const length = end - start;
    isDirectory = length <= 2 && path.startsWith('..'.slice(0, length), start);
    // Neither an empty segment nor `.` changes the directory.
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

/** Removes the root, because `/prod/`, `./prod/`, `prod/` and `prod\` are the same directory. */
export function withoutRoot(path: string): string {
  return path.replaceAll('\\', '/').replace(/^[./]*\//, '');
}
