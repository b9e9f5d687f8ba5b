import { type JsonObject } from '@drawbridge/piece-kit';

/** The part of an input that a partial sets. */
export interface PartialInput {
  values: JsonObject;
  /** Keys of `values`. */
  enforcedKeys: readonly string[];
}

/**
 * Returns the input with which a call runs, from any endpoint. It merges top-level keys only. A later partial overrides an earlier one, the caller
 * overrides all partials, and an enforced value overrides everything; of two enforced values, the later one wins. An absent key has no effect. If a
 * partial names a key and the result is null, the key is removed: null lets a caller remove a default, a partial remove an earlier value, and an
 * enforced null keep the key out. Without a partial that names the key, null is a normal value. Settings of the configured integration are not part
 * of the input.
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
