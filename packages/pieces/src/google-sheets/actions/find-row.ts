import { action } from '@drawbridge/piece-kit';
import { toValues } from '../columns.js';
import { findIn, search } from '../find.js';
import { headerRow, place } from '../properties.js';
import { readColumns, readRows } from '../sheet.js';

/** https://developers.google.com/workspace/sheets/api/reference/rest/v4/spreadsheets.values/get */
export const findRow = action({
  displayName: 'Find row',
  description: 'Finds the first row with a value in a column. Returns the row; "found" is false without a match.',
  category: 'read',
  props: { ...place, ...search, headerRow },
  run: async ({ http, input: { column, value, match, ...at } }) => {
    const columns = await readColumns(http, at);
    const [row] = await findIn(http, at, { columns, column, value, match, limit: 1 });
    if (row === undefined) return { found: false, row: null, values: null };
    const [found = []] = await readRows(http, at, `${row}:${row}`);
    return { found: true, row, values: toValues(columns, found) };
  },
});
