import { action } from '@drawbridge/piece-kit';
import { toValues } from '../columns.js';
import { findMatches } from '../find-matches.js';
import { column, match, table, wanted } from '../properties.js';
import { readRows } from '../sheet.js';

/** Finds the first row with a value in a column: https://developers.google.com/workspace/sheets/api/reference/rest/v4/spreadsheets.values/get */
export const findRow = action({
  displayName: 'Find row',
  description: 'Finds the first row with a value in a column. Returns the row; "found" is false without a match.',
  category: 'read',
  props: { ...table, column, value: wanted, match },
  run: async ({ http, input: { column: name, value, match: how, ...at } }) => {
    const { columns, rows } = await findMatches(http, at, { column: name, value, match: how });
    const [row] = rows;
    if (row === undefined) return { found: false, row: null, values: null };

    const [found = []] = await readRows(http, at, `${row}:${row}`);
    return { found: true, row, values: toValues(columns, found) };
  },
});
