import type { JsonObject, JsonValue } from './json.js';

/**
 * Returns a form body in bracket notation, as Stripe, Rails and PHP read it: `metadata[key]=v`, `expand[]=a`. Objects in a list are
 * numbered (`items[0][price]=p`), because their ends would be ambiguous otherwise. Null becomes an empty value; empty lists and objects
 * cannot be expressed and are omitted.
 */
export function toForm(values: JsonObject): string {
  const parameters = Object.entries(values).flatMap(([key, value]) => toParameters(key, value));
  return new URLSearchParams(parameters).toString();
}

function toParameters(name: string, value: JsonValue | undefined): [string, string][] {
  if (value === undefined) return [];
  if (Array.isArray(value))
    return value.flatMap((item, index) => toParameters(`${name}[${nameOf(item, index)}]`, item));
  if (typeof value !== 'object' || value === null) return [[name, value === null ? '' : String(value)]];
  return Object.entries(value).flatMap(([key, inner]) => toParameters(`${name}[${key}]`, inner));
}

const nameOf = (item: JsonValue, index: number): string =>
  typeof item === 'object' && item !== null ? String(index) : '';
