import { action } from '@drawbridge/piece-kit';
import { pickFields, same } from '../../pick-fields.js';
import { place } from '../properties.js';
import { readSheets } from '../sheet.js';

const FIELDS = {
  ...same('sheetId', 'title', 'index', 'hidden'),
  rows: 'gridProperties.rowCount',
  columns: 'gridProperties.columnCount',
};

/** https://developers.google.com/workspace/sheets/api/reference/rest/v4/spreadsheets/get */
export const listSheets = action({
  displayName: 'List sheets',
  description: 'Lists the sheets of a spreadsheet in the order of their tabs, with their sizes.',
  category: 'read',
  props: { spreadsheetId: place.spreadsheetId },
  run: async ({ http, input: { spreadsheetId } }) =>
    (await readSheets(http, spreadsheetId)).map((sheet) => pickFields(sheet, FIELDS)),
});
