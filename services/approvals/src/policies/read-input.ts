import { invalid } from '@drawbridge/contracts';
import { type JsonValue } from '@drawbridge/piece-kit';

/** Matches typical key names. The maximum length of 30 is below the length of most credentials, which must not appear in paths. */
const NAME = /^[\p{L}_][\p{L}\p{N}_ -]{0,29}$/u;

export interface FoundText {
  text: string;
  /** The path of the string, which is safe to show: `to[0].email`. */
  path: string;
}

/** Returns every string in a value, including keys, with its path. */
export function textsOf(value: JsonValue, path = ''): FoundText[] {
  const found: FoundText[] = [];
  collect(value, path, found);
  return found;
}

/**
 * Returns the path extended by a key. Paths are displayed without the values, so a key that does not look like a name, such as a URL with a password,
 * is replaced by `*`.
 */
export function placeBelow(path: string, key: string): string {
  const shown = NAME.test(key) ? key : '*';
  return path === '' ? shown : `${path}.${shown}`;
}

function collect(value: JsonValue | undefined, path: string, found: FoundText[]): void {
  if (typeof value === 'string') found.push({ text: value, path });
  else if (Array.isArray(value)) value.forEach((item, index) => collect(item, `${path}[${index}]`, found));
  else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      const place = placeBelow(path, key);
      found.push({ text: key, path: place });
      collect(inner, place, found);
    }
  }
}

/**
 * Maximum number of values in an input, because rules read each of them. A typical body has a few hundred; a body of 1 MiB can have twice the
 * maximum.
 */
const MAX_VALUES = 250_000;
/**
 * Maximum number of characters in an input. It exceeds the maximum size of a request body, because settings and partials are merged into the input.
 */
const MAX_CHARACTERS = 12 * 1024 * 1024;
/** The cost of reading one value, expressed as a number of characters. */
const CHARACTERS_OF_VALUE = 8;

interface Counted {
  values: number;
  characters: number;
}

/**
 * Returns the cost of reading an input: its characters, and a constant for each value. Throws VALIDATION_ERROR if the input exceeds the limits,
 * without reading the rest.
 */
export function sizeOf(input: JsonValue): number {
  const counted = { values: 0, characters: 0 };
  count(input, counted);
  return counted.characters + CHARACTERS_OF_VALUE * counted.values;
}

function count(value: JsonValue | undefined, counted: Counted): void {
  counted.values++;
  if (typeof value === 'string') counted.characters += value.length;
  requireWithin(counted);
  if (Array.isArray(value)) for (const item of value) count(item, counted);
  else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      counted.characters += key.length;
      count(inner, counted);
    }
  }
}

function requireWithin({ values, characters }: Counted): void {
  if (values <= MAX_VALUES && characters <= MAX_CHARACTERS) return;
  const most = values > MAX_VALUES ? `${MAX_VALUES} values` : `${MAX_CHARACTERS} characters`;
  throw invalid({
    input: `has more than ${most}, the most that approval policies check in one call. Split the input into several calls`,
  });
}
