import { action, InputError, json, textAt } from '@drawbridge/piece-kit';
import { rowOf } from '../a1.js';
import { appendCells } from '../append-cells.js';
import { toRow } from '../columns.js';
import { table, valueInputOption } from '../properties.js';
import { readColumnsFor } from '../sheet.js';

/**
 * Adds many rows below the last row in one request: https://developers.google.com/workspace/sheets/api/reference/rest/v4/spreadsheets.values/append
 */
export const appendRows = action({
  displayName: 'Append rows',
  description: 'Adds many rows below the last one in one request. Returns the number of the first new row.',
  category: 'write',
  adds: true,
  props: {
    ...table,
    rows: json('Rows', {
      required: true,
      description: 'Values by column name or letter: [{"Name": "Ann", "C": 3}].',
      schema: { type: 'array', items: { type: 'object' }, minItems: 1, maxItems: 1000 },
    }),
    valueInputOption,
  },
  run: async ({ http, input: { rows, valueInputOption: option, ...at } }) => {
    const columns = await readColumnsFor(
      http,
      at,
      rows.flatMap((row) => Object.keys(row)),
    );
    const cells = rows.map((row) => toRow(columns, row, 'rows'));
    if (cells.some((row) => row.length === 0)) throw new InputError('rows', 'must have a value in each row');

    const range = textAt(await appendCells(http, at, cells, option), 'updates', 'updatedRange') ?? '';
    return { firstRow: rowOf(range) ?? null, count: cells.length, range };
  },
});
