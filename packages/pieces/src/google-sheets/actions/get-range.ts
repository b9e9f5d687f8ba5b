import { action, shortText } from '@drawbridge/piece-kit';
import { place, render } from '../properties.js';
import { readRows } from '../sheet.js';

/** https://developers.google.com/workspace/sheets/api/reference/rest/v4/spreadsheets.values/get */
export const getRange = action({
  displayName: 'Get range',
  description: 'Returns the cells of a range, row by row, without column names. Empty cells at the end are omitted.',
  category: 'read',
  props: {
    ...place,
    range: shortText('Range', {
      required: true,
      description: 'A1 notation, such as B2:D10, or A:A for a column.',
      pattern: '^[A-Z]{0,3}[0-9]{0,7}(:[A-Z]{0,3}[0-9]{0,7})?$',
      minLength: 1,
    }),
    render,
  },
  run: async ({ http, input: { range, render: how, ...at } }) => ({
    range,
    values: await readRows(http, at, range, how),
  }),
});
