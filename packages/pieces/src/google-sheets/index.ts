import { piece } from '@drawbridge/piece-kit';
import { googleHttp, googleOAuth } from '../google.js';
import { appendRow } from './actions/append-row.js';
import { clear } from './actions/clear.js';
import { createSpreadsheet } from './actions/create-spreadsheet.js';
import { findRow } from './actions/find-row.js';
import { getRows } from './actions/get-rows.js';
import { updateRow } from './actions/update-row.js';
import { DRIVE_ORIGIN } from './origins.js';
import { newRow } from './triggers/new-row.js';

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
    oauth2: googleOAuth('spreadsheets', 'drive.metadata.readonly'),
  },
  http: googleHttp,
  actions: {
    append_row: appendRow,
    get_rows: getRows,
    update_row: updateRow,
    find_row: findRow,
    create_spreadsheet: createSpreadsheet,
    clear,
  },
  triggers: { new_row: newRow },
});
