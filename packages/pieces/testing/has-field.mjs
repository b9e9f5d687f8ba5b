const LISTS = ['oneOf', 'anyOf', 'allOf'];

/**
 * Returns whether a schema describes the field at a path, in at least one of its alternatives. `*` stands for an item of a list. `resolve` follows
 * references.
 */
export function hasField(given, path, resolve) {
  const [key, ...rest] = path;
  if (key === undefined) return true;

  const schema = resolve(given);
  const alternatives = LISTS.flatMap((keyword) => schema[keyword] ?? []);
  if (alternatives.some((one) => hasField(one, path, resolve))) return true;
  if (key === '*') return schema.items !== undefined && hasField(schema.items, rest, resolve);
  if (schema.properties?.[key]) return hasField(schema.properties[key], rest, resolve);
  // Slack's description writes alternatives as the items of a schema without a type.
  return !schema.type && schema.items !== undefined && hasField(schema.items, path, resolve);
}
