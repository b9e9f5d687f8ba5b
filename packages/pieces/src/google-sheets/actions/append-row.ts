import { action, textAt } from '@drawbridge/piece-kit';
import { rowOf } from '../a1.js';
import { appendCells } from '../append-cells.js';
import { toRow } from '../columns.js';
import { table, valueInputOption, values } from '../properties.js';
import { readColumnsFor } from '../sheet.js';

/** Adds a row below the last row: https://developers.google.com/workspace/sheets/api/reference/rest/v4/spreadsheets.values/append */
export const appendRow = action({
  displayName: 'Append row',
  description: 'Adds a row below the last one and returns its number.',
  category: 'write',
  adds: true,
  props: { ...table, values, valueInputOption },
  run: async ({ http, input: { values: given, valueInputOption: option, ...at } }) => {
    const row = toRow(await readColumnsFor(http, at, Object.keys(given)), given);
    const range = textAt(await appendCells(http, at, [row], option), 'updates', 'updatedRange') ?? '';
    return { row: rowOf(range) ?? null, range };
  },
});
