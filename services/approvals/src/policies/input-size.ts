import { invalid } from '@drawbridge/contracts';
import { type JsonValue } from '@drawbridge/piece-kit';

/** Rules look at each value of an input. A body of 1 MiB can hold twice as many, a usual one has a few hundred. */
const MAX_VALUES = 250_000;
/** More than a body can hold with what settings and partials add. */
const MAX_CHARACTERS = 12 * 1024 * 1024;
/** The cost of a value is that of this many characters. */
const CHARACTERS_OF_VALUE = 8;

interface Counted {
  values: number;
  characters: number;
}

/**
 * Returns the size of an input, as rules read it: its characters, and a few more for each value. Throws VALIDATION_ERROR for one that rules do
 * not look at, as soon as that is known.
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
  throw invalid({ input: `has more than ${most}, and approval policies evaluate no larger input; send it in parts` });
}
