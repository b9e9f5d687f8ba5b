import type { JsonValue } from './json.js';

/** Returns the value at a path in a provider's answer; undefined if there is none. */
export function member(value: unknown, ...path: readonly (string | number)[]): JsonValue | undefined {
  let found = value;
  for (const key of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = Reflect.get(found, key);
  }
  return found as JsonValue | undefined; // Every part of a JSON value is a JSON value.
}

/** Returns the list at a path; empty if there is none. */
export function listAt(value: unknown, ...path: readonly (string | number)[]): JsonValue[] {
  const found = member(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** Returns the text at a path; undefined if there is none or if it is empty. */
export function textAt(value: unknown, ...path: readonly (string | number)[]): string | undefined {
  const found = member(value, ...path);
  return typeof found === 'string' && found !== '' ? found : undefined;
}
