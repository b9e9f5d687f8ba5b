import {
  expandPath,
  InputError,
  member,
  textAt,
  type Http,
  type JsonObject,
  type JsonValue,
} from '@drawbridge/piece-kit';
import { toPropertyValue, WRITABLE } from './property-values.js';

/** A column of a database: its `type`, and its settings under the name of the type. */
export interface Column {
  name: string;
  type: string;
  details: JsonValue | undefined;
}

/** Reads the columns of a data source: https://developers.notion.com/reference/retrieve-a-data-source */
export async function readColumns(http: Http, id: string): Promise<Column[]> {
  const source = await http.json({ method: 'GET', path: expandPath('/v1/data_sources/{id}', { id }) });
  const properties = member(source, 'properties');
  if (typeof properties !== 'object' || properties === null) return [];
  return Object.entries(properties).map(([name, property]) => {
    const type = textAt(property, 'type') ?? '';
    return { name, type, details: member(property, type) };
  });
}

/** Converts plain values to Notion properties. Throws InputError for a property that does not exist or is computed. */
export function toProperties(columns: readonly Column[], values: JsonObject): JsonObject {
  const entries = Object.entries(values).map(([name, value]) => {
    const type = columns.find((column) => column.name === name)?.type;
    if (type !== undefined && WRITABLE.includes(type)) return [name, toPropertyValue(type, name, value)] as const;
    const known = columns.filter((column) => WRITABLE.includes(column.type)).map((column) => `"${column.name}"`);
    throw new InputError(
      'values',
      `has the unknown or read-only property "${name}". Writable properties: ${known.join(', ')}`,
    );
  });
  return Object.fromEntries(entries);
}
