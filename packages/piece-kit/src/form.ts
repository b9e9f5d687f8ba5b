import type { JsonObject, JsonValue } from './json.js';

/**
 * A form body in bracket notation, as Stripe and what grew up with Rails or PHP read it: `metadata[key]=v`, `expand[]=a`. A list of
 * objects counts them (`items[0][price]=p`): without a number nobody knows where one ends. Null empties; an empty list or object
 * is nothing that a form could say.
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
