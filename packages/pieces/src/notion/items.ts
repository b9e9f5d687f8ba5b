import { member, type JsonObject, type JsonValue } from '@drawbridge/piece-kit';
import { toPlainValue } from './property-values.js';

/** Returns a summary of a page: its ids and times, and its properties as plain values. */
export function toItem(page: JsonValue): JsonObject {
  const known = ['id', 'url', 'created_time', 'last_edited_time'].map((key) => [key, member(page, key) ?? null]);
  return { ...Object.fromEntries(known), values: valuesOf(page) };
}

function valuesOf(page: JsonValue): JsonObject {
  const properties = member(page, 'properties');
  if (typeof properties !== 'object' || properties === null) return {};
  return Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, toPlainValue(property)]));
}

/** Returns the title of a page. The name of the title property varies. */
export function titleOf(page: JsonValue): string {
  const properties = member(page, 'properties');
  if (typeof properties !== 'object' || properties === null) return '';
  const title = Object.values(properties).find((property) => member(property, 'type') === 'title');
  return title === undefined ? '' : String(toPlainValue(title));
}
