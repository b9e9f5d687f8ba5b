import { newSince, textAt, trigger } from '@drawbridge/piece-kit';
import { googlePaging } from '../../google.js';
import { pickFields } from '../../pick-fields.js';
import { spreadsheetFiles } from '../spreadsheet-files.js';

const LIMIT = 1_000;
const FIELDS = 'id,name,createdTime,webViewLink,owners(emailAddress)';
const SHORT = {
  spreadsheetId: 'id',
  name: 'name',
  createdTime: 'createdTime',
  spreadsheetUrl: 'webViewLink',
  owners: 'owners.*.emailAddress',
};

/** Runs when a spreadsheet is created that the account can see: https://developers.google.com/workspace/drive/api/reference/rest/v3/files/list */
export const newSpreadsheet = trigger({
  kind: 'polling',
  displayName: 'New spreadsheet',
  description:
    'Runs when a spreadsheet is created that the account can see. An older one that is shared with the account later is no event.',
  props: {},
  sample: {
    spreadsheetId: '1a2b3c',
    name: 'People',
    createdTime: '2026-01-31T09:00:00.000Z',
    spreadsheetUrl: 'https://docs.google.com/spreadsheets/d/1a2b3c/edit',
    owners: ['ada@example.com'],
  },
  poll: newSince({
    list: ({ http }) =>
      http.pages(spreadsheetFiles({ fields: FIELDS, orderBy: 'createdTime desc' }), LIMIT, googlePaging('files')),
    time: (file) => textAt(file, 'createdTime'),
    id: (file) => textAt(file, 'id'),
    data: (file) => pickFields(file, SHORT),
  }),
});
