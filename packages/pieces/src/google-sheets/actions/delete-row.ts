import { action } from '@drawbridge/piece-kit';
import { place, rowNumber } from '../properties.js';
import { change, requireSheetId } from '../sheet.js';

/** Deletes a whole row: https://developers.google.com/workspace/sheets/api/reference/rest/v4/spreadsheets/request#deletedimensionrequest */
export const deleteRow = action({
  displayName: 'Delete row',
  description: 'Deletes a whole row. The rows below move up. Use "Clear cells" to empty a row without moving others.',
  category: 'delete',
  props: { ...place, row: rowNumber },
  run: async ({ http, input: { row, ...at } }) => {
    const sheetId = await requireSheetId(http, at);
    const range = { sheetId, dimension: 'ROWS', startIndex: row - 1, endIndex: row };
    await change(http, at.spreadsheetId, { deleteDimension: { range } });
    return { row };
  },
});
