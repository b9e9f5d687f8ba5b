import { posix } from 'node:path';
import { type JsonObject } from '@drawbridge/piece-kit';
import { textsOf } from './texts.js';

interface StoragePath {
  form: string;
  path: string;
}

/** Where a text that begins so stands in an input; undefined: nowhere. */
export type PlaceBelow = (prefix: string) => string | undefined;

/**
 * Every text of an input, as it stands and as a file system reads it, without its root: whatever it is called, it may be a path. They are
 * in order, so that many prefixes are looked up in them, and none is compared with all.
 */
export function storagePathsOf(input: JsonObject): PlaceBelow {
  const paths = textsOf(input).flatMap(({ text, path }) => formsOf(text).map((form): StoragePath => ({ form, path })));
  paths.sort((one, other) => (one.form < other.form ? -1 : Number(one.form > other.form)));
  const known = new Map<string, string | false>();
  return (prefix) => {
    let place = known.get(prefix);
    if (place === undefined) known.set(prefix, (place = find(paths, withoutRoot(prefix)) ?? false));
    return place === false ? undefined : place;
  };
}

/** The first that is not before the prefix begins with it, or none does. */
function find(paths: readonly StoragePath[], prefix: string): string | undefined {
  let [low, high] = [0, paths.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (paths[middle]!.form < prefix) low = middle + 1;
    else high = middle;
  }
  return paths[low]?.form.startsWith(prefix) ? paths[low]!.path : undefined;
}

function formsOf(text: string): string[] {
  const slashed = text.replaceAll('\\', '/');
  if (!slashed.includes('/')) return [text];
  return [...new Set([withoutRoot(slashed), withoutRoot(posix.normalize(slashed))])];
}

/** `/prod/`, `./prod/` and `prod/` are one place. */
function withoutRoot(path: string): string {
  return path.replace(/^[./]*\//, '');
}
