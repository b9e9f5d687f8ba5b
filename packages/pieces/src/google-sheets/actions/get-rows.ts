import { action, number, staticDropdown } from '@drawbridge/piece-kit';
import { toValues } from '../columns.js';
import { place } from '../properties.js';
import { readColumns, readRows } from '../sheet.js';

/** https://developers.google.com/workspace/sheets/api/reference/rest/v4/spreadsheets.values/get */
export const getRows = action({
  displayName: 'Get rows',
  description: 'Reads rows by the names of their columns. Empty rows are left out.',
  category: 'read',
  props: {
    ...place,
    firstRow: number('First row', {
      description: '2 if absent: the first holds the names.',
      integer: true,
      minimum: 1,
    }),
    limit: number('At most', { description: '100 if absent.', integer: true, minimum: 1, maximum: 1000 }),
    render: staticDropdown(
      'Cells as',
      [
        { label: 'They are shown', value: 'FORMATTED_VALUE' },
        { label: 'Plain values', value: 'UNFORMATTED_VALUE' },
        { label: 'Formulas', value: 'FORMULA' },
      ],
      { description: 'As they are shown if absent.' },
    ),
  },
  run: async ({ http, input: { firstRow = 2, limit = 100, render, ...at } }) => {
    const columns = await readColumns(http, at);
    const rows = await readRows(http, at, `${firstRow}:${firstRow + limit - 1}`, render);
    const items = rows.map((row, index) => ({ row: firstRow + index, values: toValues(columns, row) }));
    return items.filter((_, index) => rows[index]?.some((cell) => cell !== ''));
  },
});
