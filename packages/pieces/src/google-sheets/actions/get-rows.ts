import { action, number, staticDropdown } from '@drawbridge/piece-kit';
import { toValues } from '../columns.js';
import { place } from '../properties.js';
import { readColumns, readRows } from '../sheet.js';

/** https://developers.google.com/workspace/sheets/api/reference/rest/v4/spreadsheets.values/get */
export const getRows = action({
  displayName: 'Get rows',
  description: 'Returns rows as objects keyed by column name. Skips empty rows.',
  category: 'read',
  props: {
    ...place,
    firstRow: number('First row', {
      description: 'Number of the first row to read. Defaults to 2, because row 1 holds the column names.',
      integer: true,
      minimum: 1,
    }),
    limit: number('Limit', {
      description: 'Maximum number of rows. Defaults to 100.',
      integer: true,
      minimum: 1,
      maximum: 1000,
    }),
    render: staticDropdown(
      'Cell format',
      [
        { label: 'Displayed text', value: 'FORMATTED_VALUE' },
        { label: 'Plain values', value: 'UNFORMATTED_VALUE' },
        { label: 'Formulas', value: 'FORMULA' },
      ],
      { description: 'Defaults to displayed text.' },
    ),
  },
  run: async ({ http, input: { firstRow = 2, limit = 100, render, ...at } }) => {
    const columns = await readColumns(http, at);
    const rows = await readRows(http, at, `${firstRow}:${firstRow + limit - 1}`, render);
    const items = rows.map((row, index) => ({ row: firstRow + index, values: toValues(columns, row) }));
    return items.filter((_, index) => rows[index]?.some((cell) => cell !== ''));
  },
});
