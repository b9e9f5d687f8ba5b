import { action, textAt } from '@drawbridge/piece-kit';
import { rowOf } from '../a1.js';
import { toRow } from '../columns.js';
import { headerRow, place, rowsOfValues, valueInputOption } from '../properties.js';
import { headerOf, readColumns, valuesPath } from '../sheet.js';

/** https://developers.google.com/workspace/sheets/api/reference/rest/v4/spreadsheets.values/append */
export const appendRows = action({
  displayName: 'Append rows',
  description: 'Adds up to 1,000 rows below the last one in one request, and returns the number of the first.',
  category: 'write',
  adds: true,
  props: {
    ...place,
    rows: rowsOfValues('Rows by column name or letter: [{"Name": "Ann", "C": 3}].'),
    valueInputOption,
    headerRow,
  },
  run: async ({ http, input: { rows, valueInputOption: option = 'RAW', ...at } }) => {
    const columns = await readColumns(http, at);
    const values = rows.map((row) => toRow(columns, row, 'rows'));
    const query = { valueInputOption: option, insertDataOption: 'INSERT_ROWS' };
    const path = valuesPath(at, `A${headerOf(at)}`, ':append');
    const answer = await http.json({ method: 'POST', path, query, json: { values } });
    const range = textAt(answer, 'updates', 'updatedRange') ?? '';
    return { row: rowOf(range) ?? null, range, rows: rows.length };
  },
});
