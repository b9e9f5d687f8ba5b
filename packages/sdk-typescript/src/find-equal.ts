import { type JsonSchema } from './json-schema.js';

/** Returns the positions of two equal items. Among several equal items it selects the pair that ajv, and therefore the API, names in its message. */
export function findEqual(list: readonly unknown[], items: JsonSchema | boolean): [number, number] | undefined {
  const type = typeof items === 'boolean' ? undefined : items.type;
  return type === undefined || type === 'object' || type === 'array'
    ? lastWithEarlier(list.map(canonical))
    : lastWithLater(list, type === 'integer' ? 'number' : type);
}

/** Searches items of one simple type, such as strings. ajv compares only the items of that type, from the end, and names the later one first. */
function lastWithLater(list: readonly unknown[], type: string): [number, number] | undefined {
  const seen = new Map<unknown, number>();
  for (let index = list.length - 1; index >= 0; index--) {
    const item = list[index];
    const later = seen.get(item);
    if (later !== undefined) return [later, index];
    if (typeof item === type) seen.set(item, index);
  }
  return undefined;
}

function lastWithEarlier(texts: readonly string[]): [number, number] | undefined {
  const latest = new Map<string, number>();
  let found: [number, number] | undefined;
  texts.forEach((text, index) => {
    const earlier = latest.get(text);
    if (earlier !== undefined) found = [earlier, index];
    latest.set(text, index);
  });
  return found;
}

/** Returns the same text for objects that differ only in the order of their keys. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );
}
