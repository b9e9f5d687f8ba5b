import { action, textAt } from '@drawbridge/piece-kit';
import { rowCells, toRow } from '../columns.js';
import { rowNumber, table, valueInputOption, values } from '../properties.js';
import { readColumnsFor, valuesPath } from '../sheet.js';

/** Writes cells of one row: https://developers.google.com/workspace/sheets/api/reference/rest/v4/spreadsheets.values/update */
export const updateRow = action({
  displayName: 'Update row',
  description:
    'Writes cells of one row and returns their range. An empty text clears a cell; null leaves it unchanged.',
  category: 'write',
  idempotent: true,
  props: { ...table, row: rowNumber, values, valueInputOption },
  run: async ({ http, input: { row, values: given, valueInputOption: option = 'RAW', ...at } }) => {
    const cells = toRow(await readColumnsFor(http, at, Object.keys(given)), given);
    if (cells.length === 0) return { row, range: '' };

    const path = valuesPath(at, rowCells(row, cells));
    const query = { valueInputOption: option };
    const answer = await http.json({ method: 'PUT', path, query, json: { values: [cells] } });
    return { row, range: textAt(answer, 'updatedRange') ?? '' };
  },
});
