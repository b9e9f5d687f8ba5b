import { type JsonObject } from '@drawbridge/piece-kit';

/** What a partial says of an input. */
export interface PartialInput {
  values: JsonObject;
  /** Keys of `values`. */
  enforcedKeys: readonly string[];
}

/**
 * The input that a call runs with, whatever its door. Key by key, and never deeper: what a later partial says wins over an earlier one,
 * what the caller says over all of them, what a partial enforces over everything; of two that enforce a key the later. Absent says
 * nothing. A key that a partial names and that ends as null is left out: so a caller takes back a default, a partial what one before
 * it says, and an enforced null keeps the key out. Where no partial names it, null is a value like others. The settings of an
 * instance are no input, and not here.
 */
export function mergeInput(partials: readonly PartialInput[], input: JsonObject): JsonObject {
  const values = partials.map((partial) => partial.values);
  const named = new Set(values.flatMap((one) => Object.keys(one)));
  const merged = new Map([...values, input, ...partials.map(enforced)].flatMap((layer) => Object.entries(layer)));
  return Object.fromEntries([...merged].filter(([key, value]) => value !== null || !named.has(key)));
}

function enforced({ values, enforcedKeys }: PartialInput): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([key]) => enforcedKeys.includes(key)));
}
