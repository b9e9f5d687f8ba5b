/** Merges the input of a call over the default input of its tool, by the rule of input partials: null removes a default. */
export function withDefaults<Value>(
  defaults: Record<string, Value>,
  given: Record<string, Value>,
): Record<string, Value> {
  const merged = Object.entries({ ...defaults, ...given });
  return Object.fromEntries(merged.filter(([key, value]) => value !== null || !Object.hasOwn(defaults, key)));
}
