import { action, json, member, shortText } from '@drawbridge/piece-kit';
import { pickFields, same } from '../../pick-fields.js';
import { rowCells } from '../columns.js';
import { COLUMN_NAMES, spreadsheetId, TITLE } from '../properties.js';
import { change, valuesPath } from '../sheet.js';

/** Adds an empty sheet to a spreadsheet: https://developers.google.com/workspace/sheets/api/reference/rest/v4/spreadsheets/request#addsheetrequest */
export const createSheet = action({
  displayName: 'Create sheet',
  description: 'Adds an empty sheet to a spreadsheet, perhaps with column names. Returns its sheetId, title and index.',
  category: 'write',
  adds: true,
  props: {
    spreadsheetId,
    title: shortText('Title', {
      required: true,
      description: 'Unused name of a tab.',
      ...TITLE,
    }),
    columns: json('Columns', {
      description: 'For the first row: ["Name", "Email"].',
      schema: COLUMN_NAMES,
    }),
  },
  run: async ({ http, input: { spreadsheetId: id, title, columns = [] } }) => {
    const reply = await change(http, id, { addSheet: { properties: { title } } });
    if (columns.length > 0) {
      const path = valuesPath({ spreadsheetId: id, sheet: title }, rowCells(1, columns));
      await http.json({ method: 'PUT', path, query: { valueInputOption: 'RAW' }, json: { values: [columns] } });
    }
    return pickFields(member(reply, 'addSheet', 'properties') ?? {}, same('sheetId', 'title', 'index'));
  },
});
