import { action, number } from '@drawbridge/piece-kit';
import { place, rowNumber } from '../properties.js';
import { change, sheetIdOf } from '../sheet.js';

/** https://developers.google.com/workspace/sheets/api/reference/rest/v4/spreadsheets/request#deletedimensionrequest */
export const deleteRow = action({
  displayName: 'Delete row',
  description: 'Deletes rows. The rows below move up, so that their numbers change.',
  category: 'delete',
  props: {
    ...place,
    row: rowNumber,
    count: number('Count', {
      description: 'The number of rows to delete from there. Defaults to 1.',
      integer: true,
      minimum: 1,
      maximum: 1000,
    }),
  },
  run: async ({ http, input: { row, count = 1, ...at } }) => {
    const range = {
      sheetId: await sheetIdOf(http, at),
      dimension: 'ROWS',
      startIndex: row - 1,
      endIndex: row - 1 + count,
    };
    await change(http, at.spreadsheetId, { deleteDimension: { range } });
    return { row, count };
  },
});
