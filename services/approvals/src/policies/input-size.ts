import { invalid } from '@drawbridge/contracts';
import { type JsonValue } from '@drawbridge/piece-kit';

/** Rules read each value of an input. A body of 1 MiB can hold twice as many; a typical one has a few hundred. */
const MAX_VALUES = 250_000;
/** More than a body can hold, including values from settings and partials. */
const MAX_CHARACTERS = 12 * 1024 * 1024;
/** One value costs as much as this many characters. */
const CHARACTERS_OF_VALUE = 8;

interface Counted {
  values: number;
  characters: number;
}

/**
 * Returns the cost of reading an input: its characters, and a constant for each value. Throws VALIDATION_ERROR for an input above the
 * limits, and stops counting there.
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
