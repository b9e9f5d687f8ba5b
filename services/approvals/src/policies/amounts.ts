import { type JsonObject, type JsonValue } from '@drawbridge/piece-kit';

/** Matches a string that contains only a number. The match takes time linear in the length of the string, which comes from the caller. */
const NUMBER = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?\s*$/i;
/** Maximum length of a path in a policy. Longer paths in the input cannot match and are skipped. */
const MAX_PATH = 255;

/** Returns the largest number at a path, or -Infinity. A string that contains a number also counts. */
export type LargestAt = (path: AmountPath) => number;

/** A path of an amount threshold: `path` as the policy contains it, and `place` in dotted form without brackets. */
interface AmountPath {
  path: string;
  place: string;
  /** True if the path selects one item of a list by its index, as in `items[0].price`. */
  isOfOne: boolean;
}

export function toAmountPath(path: string): AmountPath {
  const keys = path.split(/[.[\]]+/).filter((key) => key !== '');
  return { path, place: keys.join('.'), isOfOne: keys.some((key) => /^\d+$/.test(key)) };
}

/**
 * Reads an input once for any number of paths. A list matches if one of its items matches: `items.price` is the price of any item. If a path contains
 * an index, as in `items[0].price`, it must contain an index for every list on the path.
 */
export function amountsOf(input: JsonObject): LargestAt {
  const ofAny = new Map<string, number>();
  collect(input, '', ofAny);
  const ofOne = remembered((place) => largestIn(valueAt(input, place.split('.'))));
  // Caches results by key, because every threshold can contain the same key, and its value can be as long as a request body.
  const ofKey = remembered((key) => (Object.hasOwn(input, key) ? amountIn(input[key]) : -Infinity));
  return ({ path, place, isOfOne }) => {
    const found = isOfOne ? ofOne(place) : (ofAny.get(place) ?? -Infinity);
    if (!isOfOne && path === place) return found;
    // A key of the input can itself contain dots, like a path.
    return Math.max(found, ofKey(path));
  };
}

function remembered(find: (text: string) => number): (text: string) => number {
  const known = new Map<string, number>();
  return (text) => {
    const found = known.get(text) ?? find(text);
    known.set(text, found);
    return found;
  };
}

function collect(value: JsonValue | undefined, path: string, largest: Map<string, number>): void {
  if (path.length > MAX_PATH) return;
  if (Array.isArray(value)) for (const item of value) collect(item, path, largest);
  else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) collect(inner, path === '' ? key : `${path}.${key}`, largest);
  } else largest.set(path, Math.max(largest.get(path) ?? -Infinity, amountIn(value)));
}

function valueAt(input: JsonObject, keys: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = input;
  for (const key of keys) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as JsonObject)[key];
  }
  return value;
}

function largestIn(value: JsonValue | undefined): number {
  if (!Array.isArray(value)) return amountIn(value);
  return value.reduce<number>((largest, item) => Math.max(largest, amountIn(item)), -Infinity);
}

function amountIn(value: JsonValue | undefined): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && NUMBER.test(value) ? Number(value) : -Infinity;
}
