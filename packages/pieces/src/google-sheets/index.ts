import { piece } from '@drawbridge/piece-kit';
import { googleHttp, googleOAuth } from '../google.js';
import { appendRow } from './actions/append-row.js';
import { appendRows } from './actions/append-rows.js';
import { clear } from './actions/clear.js';
import { copySheet } from './actions/copy-sheet.js';
import { createSheet } from './actions/create-sheet.js';
import { createSpreadsheet } from './actions/create-spreadsheet.js';
import { deleteRow } from './actions/delete-row.js';
import { findRow } from './actions/find-row.js';
import { findRows } from './actions/find-rows.js';
import { getRange } from './actions/get-range.js';
import { getRows } from './actions/get-rows.js';
import { listSheets } from './actions/list-sheets.js';
import { updateRow } from './actions/update-row.js';
import { updateRows } from './actions/update-rows.js';
import { DRIVE_ORIGIN } from './origins.js';
import { newRow } from './triggers/new-row.js';
import { newSpreadsheet } from './triggers/new-spreadsheet.js';
import { rowChanged } from './triggers/row-changed.js';

export const googleSheets = piece({
  name: 'google-sheets',
  displayName: 'Google Sheets',
  description: 'Reads and writes rows of spreadsheets by column name.',
  categories: ['PRODUCTIVITY', 'CONTENT_AND_FILES'],
  origin: 'https://sheets.googleapis.com',
  origins: [DRIVE_ORIGIN],
  auth: {
    types: ['OAUTH2'],
    required: true,
    test: (http) => http.request({ method: 'GET', path: `${DRIVE_ORIGIN}/drive/v3/files?pageSize=1` }),
    shares: ['See, create, change and delete your spreadsheets', 'See the names of the files in your Drive'],
    oauth2: googleOAuth('spreadsheets', 'drive.metadata.readonly'),
  },
  http: googleHttp,
  actions: {
    append_row: appendRow,
    append_rows: appendRows,
    get_rows: getRows,
    get_range: getRange,
    update_row: updateRow,
    update_rows: updateRows,
    find_row: findRow,
    find_rows: findRows,
    delete_row: deleteRow,
    clear,
    create_spreadsheet: createSpreadsheet,
    list_sheets: listSheets,
    create_sheet: createSheet,
    copy_sheet: copySheet,
  },
  triggers: { new_row: newRow, row_changed: rowChanged, new_spreadsheet: newSpreadsheet },
});
