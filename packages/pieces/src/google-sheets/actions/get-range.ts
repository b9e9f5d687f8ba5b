import { action, shortText } from '@drawbridge/piece-kit';
import { CELLS, place, render } from '../properties.js';
import { readRows } from '../sheet.js';

/** Returns the cells of a range: https://developers.google.com/workspace/sheets/api/reference/rest/v4/spreadsheets.values/get */
export const getRange = action({
  displayName: 'Get range',
  description: 'Returns the cells of a range, row by row. Empty cells and rows at its end are omitted.',
  category: 'read',
  props: {
    ...place,
    range: shortText('Range', {
      required: true,
      description: 'A1 notation, such as B2:D10, C:C (column) or 5:5 (row).',
      pattern: CELLS,
      minLength: 1,
    }),
    render,
  },
  run: async ({ http, input: { range, render: format, ...at } }) => ({
    range,
    values: await readRows(http, at, range, format),
  }),
});
