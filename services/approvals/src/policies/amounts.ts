import { type JsonObject, type JsonValue } from '@drawbridge/piece-kit';

const NUMBER = /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i;
/** A longer text is no amount. */
const MAX_CHARACTERS = 100;

/** The numbers that stand at `amount`, at `items.price` of each item, at `items[0].price`. Written as text they are numbers too. */
export function amountsAt(input: JsonObject, path: string): number[] {
  const keys = path.split(/[.[\]]+/).filter((key) => key !== '');
  let values: JsonValue[] = [input];
  for (const key of keys) values = values.flatMap((value) => step(value, key));
  return values.flatMap(numbersIn);
}

/** A list stands for its items, unless one of them is named. */
function step(value: JsonValue, key: string): JsonValue[] {
  if (Array.isArray(value)) {
    return /^\d+$/.test(key) ? value.slice(Number(key), Number(key) + 1) : value.flatMap((item) => step(item, key));
  }
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return [];
  return [value[key]!];
}

function numbersIn(value: JsonValue): number[] {
  if (typeof value === 'number') return [value];
  if (Array.isArray(value)) return value.flatMap(numbersIn);
  return typeof value === 'string' && value.length <= MAX_CHARACTERS && NUMBER.test(value) ? [Number(value)] : [];
}
