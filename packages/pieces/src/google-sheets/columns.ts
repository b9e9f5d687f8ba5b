import { InputError, type JsonObject, type JsonValue } from '@drawbridge/piece-kit';
import { toIndex, toLetter } from './a1.js';

/** The columns of a sheet: the names of those in its header row, and the number of all columns that can be written or read by their letters. */
export interface Columns {
  names: readonly string[];
  count: number;
}

/** Returns the names of a sheet's columns from its header row. A column with an empty or repeated name gets its letter as name. */
export function toColumns(header: readonly JsonValue[]): string[] {
  const names = header.map((cell) => String(cell ?? '').trim());
  return names.map((name, index) => (name && names.indexOf(name) === index ? name : toLetter(index)));
}

/** Returns the cells of a row, with column names as keys. */
export function toValues(columns: readonly string[], row: readonly JsonValue[]): JsonObject {
  const width = Math.max(columns.length, row.length);
  const entries = Array.from({ length: width }, (_, index) => [columns[index] ?? toLetter(index), row[index] ?? '']);
  return Object.fromEntries(entries);
}

/** Returns a row with the given cells. All other cells are null, which Google leaves unchanged. Throws InputError for an unknown column. */
export function toRow(columns: Columns, values: JsonObject, property = 'values'): JsonValue[] {
  const cells = Object.entries(values).map(([name, value]) => [requireColumn(columns, name, property), value] as const);
  const row: JsonValue[] = Array.from({ length: Math.max(0, ...cells.map(([index]) => index + 1)) }, () => null);
  for (const [index, value] of cells) {
    if (typeof value === 'object' && value !== null) {
      throw new InputError(
        property,
        `must hold texts, numbers, true, false or null (column "${columns.names[index] ?? toLetter(index)}" holds another type)`,
      );
    }
    row[index] = value;
  }
  return row;
}

/** Returns the range of the first cells of a row, such as A4:F4. */
export const rowCells = (row: number, cells: readonly JsonValue[]): string =>
  `A${row}:${toLetter(cells.length - 1)}${row}`;

/** Returns the index of a column by its name or its letter, or undefined for text that is neither. */
export function indexOf(names: readonly string[], name: string): number | undefined {
  const named = names.indexOf(name.trim());
  return named < 0 ? toIndex(name) : named;
}

/**
 * Returns the index of a column by its name or its letter. Throws InputError for an unknown column. A letter beyond the last column is unknown, because
 * it is usually a name that the header row does not contain, such as ID or ZIP.
 */
export function requireColumn({ names, count }: Columns, name: string, property: string): number {
  const index = indexOf(names, name);
  if (index !== undefined && index < count) return index;
  throw new InputError(
    property,
    `has the unknown column "${name}". The columns are: ${names.map((one) => `"${one}"`).join(', ')}`,
  );
}
