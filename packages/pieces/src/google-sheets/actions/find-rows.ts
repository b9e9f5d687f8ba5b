import { action, type Http, type JsonValue, listAt, number } from '@drawbridge/piece-kit';
import { rangeOf } from '../a1.js';
import { toValues } from '../columns.js';
import { findIn, search } from '../find.js';
import { headerRow, place } from '../properties.js';
import { readColumns, type Sheet, spreadsheetPath } from '../sheet.js';

/** The rows of one request: longer URLs may be refused. */
const BATCH = 50;

/** https://developers.google.com/workspace/sheets/api/reference/rest/v4/spreadsheets.values/batchGet */
export const findRows = action({
  displayName: 'Find rows',
  description: 'Finds all rows with a value in a column, the first ones first.',
  category: 'read',
  props: {
    ...place,
    ...search,
    limit: number('Limit', {
      description: 'Maximum number of rows. Defaults to 100.',
      integer: true,
      minimum: 1,
      maximum: 1000,
    }),
    headerRow,
  },
  run: async ({ http, input: { column, value, match, limit = 100, ...at } }) => {
    const columns = await readColumns(http, at);
    const numbers = await findIn(http, at, { columns, column, value, match, limit });
    const rows = await readEach(http, at, numbers);
    return numbers.map((row, index) => ({ row, values: toValues(columns, rows[index] ?? []) }));
  },
});

/** Returns the cells of these rows. */
async function readEach(
  http: Http,
  { spreadsheetId, sheet }: Sheet,
  numbers: readonly number[],
): Promise<JsonValue[][]> {
  const rows: JsonValue[][] = [];
  for (let start = 0; start < numbers.length; start += BATCH) {
    const ranges = numbers.slice(start, start + BATCH).map((row) => rangeOf(sheet, `${row}:${row}`));
    const path = spreadsheetPath(spreadsheetId, '/values:batchGet');
    const found = listAt(await http.json({ method: 'GET', path, query: { ranges } }), 'valueRanges');
    rows.push(...ranges.map((_, index) => listAt(listAt(found[index], 'values')[0])));
  }
  return rows;
}
