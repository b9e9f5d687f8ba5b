import { type JsonObject, type JsonValue, member } from '@drawbridge/piece-kit';

/** The fields of a shortened output: maps each name to a dotted path in the provider's object. `labels.*.name` is a list of the names. */
export type Fields = Readonly<Record<string, string>>;

/** Returns these fields of a provider's object. A field that the object lacks is omitted. */
export function pickFields(value: JsonValue, fields: Fields): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, path]) => {
      const found = valueAt(value, path.split('.'));
      return found === undefined ? [] : [[name, found]];
    }),
  );
}

function valueAt(value: JsonValue | undefined, [key, ...rest]: readonly string[]): JsonValue | undefined {
  if (key === undefined) return value;
  if (key !== '*') return valueAt(member(value, key), rest);
  if (!Array.isArray(value)) return undefined;
  return value.map((item) => valueAt(item, rest)).filter((found) => found !== undefined);
}

/** Returns fields that have the same name in the provider's object. */
export function same(...names: readonly string[]): Fields {
  return Object.fromEntries(names.map((name) => [name, name]));
}
