import { authorizationHeader, piece } from '@drawbridge/piece-kit';
import { appendRow } from './actions/append-row.js';
import { clear } from './actions/clear.js';
import { createSpreadsheet } from './actions/create-spreadsheet.js';
import { findRow } from './actions/find-row.js';
import { getRows } from './actions/get-rows.js';
import { updateRow } from './actions/update-row.js';
import { failedWhen } from './failed-when.js';
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
    oauth2: {
      authUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
      tokenUrl: 'https://oauth2.googleapis.com/token',
      scopes: [
        'https://www.googleapis.com/auth/spreadsheets',
        'https://www.googleapis.com/auth/drive.metadata.readonly',
      ],
      // Required to get a refresh token. Refresh responses contain none, and the old one stays valid. There is no `revoke`, because it would
      // also revoke everything else that the user granted to the same app.
      authParams: { access_type: 'offline', prompt: 'consent' },
    },
  },
  http: { authorize: authorizationHeader, failedWhen },
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
