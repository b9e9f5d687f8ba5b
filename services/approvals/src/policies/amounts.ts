import { type JsonObject, type JsonValue } from '@drawbridge/piece-kit';

/** Matches in time linear in the text. */
const NUMBER = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?\s*$/i;
/** The longest path that a policy can have. */
const MAX_PATH = 255;

/** Returns the largest number at a path, or -Infinity. Text that is a number counts. */
export type LargestAt = (path: AmountPath) => number;

/** A path as the policy writes it, and in dotted form without brackets. */
interface AmountPath {
  path: string;
  place: string;
  /** Whether the path has an index of a list. */
  isOfOne: boolean;
}

export function toAmountPath(path: string): AmountPath {
  const keys = path.split(/[.[\]]+/).filter((key) => key !== '');
  return { path, place: keys.join('.'), isOfOne: keys.some((key) => /^\d+$/.test(key)) };
}

/**
 * Reads an input once for any number of paths. A list matches by its items: `items.price` is the price of any item. If a path has an index,
 * as in `items[0].price`, every list on the path needs one.
 */
export function amountsOf(input: JsonObject): LargestAt {
  const ofAny = new Map<string, number>();
  collect(input, '', ofAny);
  const ofOne = remembered((place) => largestIn(valueAt(input, place.split('.'))));
  // Caches by key: every threshold can name the same key, and its text can be as long as a body.
  const ofKey = remembered((key) => (Object.hasOwn(input, key) ? amountIn(input[key]) : -Infinity));
  return ({ path, place, isOfOne }) => {
    const found = isOfOne ? ofOne(place) : (ofAny.get(place) ?? -Infinity);
    if (!isOfOne && path === place) return found;
    // A key of the input can itself be written like a path.
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
