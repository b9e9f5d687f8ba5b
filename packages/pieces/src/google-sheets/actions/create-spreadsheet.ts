import { action, json, shortText } from '@drawbridge/piece-kit';

/** https://developers.google.com/workspace/sheets/api/reference/rest/v4/spreadsheets/create */
export const createSpreadsheet = action({
  displayName: 'Create spreadsheet',
  description: 'Creates a spreadsheet with one sheet. Returns its spreadsheetId and spreadsheetUrl.',
  category: 'write',
  adds: true,
  props: {
    title: shortText('Title', { required: true, minLength: 1, maxLength: 255 }),
    sheet: shortText('Sheet', { description: 'The name on the tab, such as Sheet1.', minLength: 1, maxLength: 100 }),
    columns: json('Columns', {
      description: 'Column names for the first row: ["Name", "Email"].',
      schema: { type: 'array', items: { type: 'string', maxLength: 500 }, maxItems: 200 },
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
