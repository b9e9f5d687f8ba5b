import { action } from '@drawbridge/piece-kit';
import { pickFields, same } from '../../pick-fields.js';
import { spreadsheetId } from '../properties.js';
import { readSheets } from '../sheet.js';

const SHORT = {
  ...same('sheetId', 'title', 'index', 'sheetType', 'hidden'),
  rowCount: 'gridProperties.rowCount',
  columnCount: 'gridProperties.columnCount',
};
const FIELDS = 'sheetId,title,index,sheetType,hidden,gridProperties(rowCount,columnCount)';

/** Lists the sheets of a spreadsheet: https://developers.google.com/workspace/sheets/api/reference/rest/v4/spreadsheets/get */
export const listSheets = action({
  displayName: 'List sheets',
  description: 'Lists the sheets of a spreadsheet with their names, ids and sizes, in the order of the tabs.',
  category: 'read',
  props: { spreadsheetId },
  run: async ({ http, input: { spreadsheetId: id } }) =>
    (await readSheets(http, id, FIELDS)).map((sheet) => pickFields(sheet, SHORT)),
});
