import { action, json, shortText } from '@drawbridge/piece-kit';
import { COLUMN_NAMES, TITLE } from '../properties.js';

/** Creates a spreadsheet with one sheet: https://developers.google.com/workspace/sheets/api/reference/rest/v4/spreadsheets/create */
export const createSpreadsheet = action({
  displayName: 'Create spreadsheet',
  description: 'Creates a spreadsheet with one sheet. Returns its spreadsheetId and spreadsheetUrl.',
  category: 'write',
  adds: true,
  props: {
    title: shortText('Title', {
      required: true,
      description: 'The name of the spreadsheet.',
      minLength: 1,
      maxLength: 255,
    }),
    sheet: shortText('Sheet', { description: 'Name of the tab, such as Sheet1.', ...TITLE }),
    columns: json('Columns', {
      description: 'For the first row: ["Name", "Email"].',
      schema: COLUMN_NAMES,
    }),
  },
  run: async ({ http, input: { title, sheet, columns } }) => {
    const values = columns?.map((name) => ({ userEnteredValue: { stringValue: name } }));
    const first = {
      ...(sheet && { properties: { title: sheet } }),
      ...(values && { data: [{ rowData: [{ values }] }] }),
    };
    const json = { properties: { title }, ...((sheet ?? values) && { sheets: [first] }) };
    return http.json({ method: 'POST', path: '/v4/spreadsheets', json });
  },
});
