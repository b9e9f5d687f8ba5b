import { type Http, type JsonValue } from '@drawbridge/piece-kit';
import { toLetter } from './a1.js';
import { requireColumn } from './columns.js';
import { headerRowOf, readColumnsFor, readRows, type Table } from './sheet.js';

interface Wanted {
  column: string;
  value: string;
  match?: 'exact' | 'contains' | undefined;
}

/** Returns the column names, and the numbers of all rows with a matching cell in a column. Reads only that column. */
export async function findMatches(
  http: Http,
  table: Table,
  { column, value, match = 'exact' }: Wanted,
): Promise<{ columns: readonly string[]; rows: number[] }> {
  const columns = await readColumnsFor(http, table, [column]);
  const letter = toLetter(requireColumn(columns, column, 'column'));
  const first = headerRowOf(table) + 1;
  const cells = await readRows(http, table, `${letter}${first}:${letter}`);
  const rows = cells.flatMap(([cell], index) => (isMatch(cell, value, match) ? [first + index] : []));
  return { columns: columns.names, rows };
}

function isMatch(cell: JsonValue | undefined, value: string, match: 'exact' | 'contains'): boolean {
  const text = String(cell ?? '');
  return match === 'exact' ? text === value : text.toLowerCase().includes(value.toLowerCase());
}
