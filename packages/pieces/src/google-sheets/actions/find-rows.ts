import { action, listAt, textAt, type JsonValue } from '@drawbridge/piece-kit';
import { itemLimit } from '../../item-limit.js';
import { rangeOf, rowOf } from '../a1.js';
import { toValues } from '../columns.js';
import { findMatches } from '../find-matches.js';
import { column, match, table, wanted } from '../properties.js';
import { spreadsheetPath } from '../sheet.js';

/**
 * Finds all rows with a value in a column:
 * https://developers.google.com/workspace/sheets/api/reference/rest/v4/spreadsheets.values/batchGetByDataFilter
 */
export const findRows = action({
  displayName: 'Find rows',
  description:
    'Finds all rows with a value in a column, up to the limit. Returns them as objects keyed by column name.',
  category: 'read',
  props: {
    ...table,
    column,
    value: wanted,
    match,
    limit: itemLimit({ defaultsTo: 100, maximum: 500 }),
  },
  run: async ({ http, input: { column: name, value, match: how, limit = 100, ...at } }) => {
    const { columns, rows } = await findMatches(http, at, { column: name, value, match: how });
    const numbers = rows.slice(0, limit);
    if (numbers.length === 0) return [];

    // The ranges are sent in a body, because the URL would be too long for many rows or a sheet with a long name.
    const dataFilters = numbers.map((row) => ({ a1Range: rangeOf(at.sheet, `${row}:${row}`) }));
    const path = `${spreadsheetPath(at.spreadsheetId)}/values:batchGetByDataFilter`;
    const found = toRows(await http.json({ method: 'POST', path, json: { dataFilters } }));
    return numbers.map((row) => ({ row, values: toValues(columns, found.get(row) ?? []) }));
  },
});

/** Returns rows by number. The response contains the range of each row, so its order does not matter. */
function toRows(body: JsonValue): Map<number, JsonValue[]> {
  const ranges = listAt(body, 'valueRanges').flatMap((range) => {
    const first = rowOf(textAt(range, 'valueRange', 'range') ?? '') ?? 0;
    return listAt(range, 'valueRange', 'values').map((row, index) => [first + index, row] as const);
  });
  return new Map(ranges.map(([number, row]) => [number, Array.isArray(row) ? row : []]));
}
