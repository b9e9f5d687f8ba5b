import { action, number } from '@drawbridge/piece-kit';
import { itemLimit } from '../../item-limit.js';
import { toValues } from '../columns.js';
import { render, table } from '../properties.js';
import { headerRowOf, isBlank, readColumns, readRows } from '../sheet.js';

/** Returns rows as objects with column names as keys: https://developers.google.com/workspace/sheets/api/reference/rest/v4/spreadsheets.values/get */
export const getRows = action({
  displayName: 'Get rows',
  description: 'Returns rows as objects keyed by column name. Skips empty rows.',
  category: 'read',
  props: {
    ...table,
    firstRow: number('First row', {
      description: 'First row to read. Defaults to the row below the header row.',
      integer: true,
      minimum: 1,
    }),
    limit: itemLimit({ defaultsTo: 100, maximum: 1_000 }),
    render,
  },
  run: async ({ http, input: { firstRow, limit = 100, render: format, ...at } }) => {
    const first = firstRow ?? headerRowOf(at) + 1;
    const columns = await readColumns(http, at);
    const rows = await readRows(http, at, `${first}:${first + limit - 1}`, format);
    const items = rows.map((row, index) => ({ row: first + index, values: toValues(columns, row) }));
    return items.filter((_, index) => !isBlank(rows[index] ?? []));
  },
});
