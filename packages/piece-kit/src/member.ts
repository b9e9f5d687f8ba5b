import type { JsonValue } from './json.js';

/** What stands at a path within what a third party answered; undefined where it says nothing there. */
export function member(value: unknown, ...path: readonly (string | number)[]): JsonValue | undefined {
  let found = value;
  for (const key of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = Reflect.get(found, key);
  }
  return found as JsonValue | undefined; // whatever stands in JSON is JSON
}

/** The list that stands there; empty where none does. */
export function listAt(value: unknown, ...path: readonly (string | number)[]): JsonValue[] {
  const found = member(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** The text that stands there; undefined where none does, or an empty one. */
export function textAt(value: unknown, ...path: readonly (string | number)[]): string | undefined {
  const found = member(value, ...path);
  return typeof found === 'string' && found !== '' ? found : undefined;
}
