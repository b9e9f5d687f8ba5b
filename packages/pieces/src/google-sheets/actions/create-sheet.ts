import { action, json, member, shortText } from '@drawbridge/piece-kit';
import { place } from '../properties.js';
import { change, valuesPath } from '../sheet.js';

/** https://developers.google.com/workspace/sheets/api/reference/rest/v4/spreadsheets/request#addsheetrequest */
export const createSheet = action({
  displayName: 'Create sheet',
  description:
    'Adds a sheet to a spreadsheet, perhaps with column names in its first row, and returns its id and name.',
  category: 'write',
  adds: true,
  props: {
    spreadsheetId: place.spreadsheetId,
    title: shortText('Name', { required: true, description: 'The name on the tab.', minLength: 1, maxLength: 100 }),
    columns: json('Columns', {
      description: 'Column names for the first row: ["Name", "Email"].',
      schema: { type: 'array', items: { type: 'string', maxLength: 500 }, minItems: 1, maxItems: 200 },
    }),
  },
  run: async ({ http, input: { spreadsheetId, title, columns } }) => {
    const added = member(await change(http, spreadsheetId, { addSheet: { properties: { title } } }), 'addSheet');
    if (columns) {
      const path = valuesPath({ spreadsheetId, sheet: title }, 'A1');
      await http.json({ method: 'PUT', path, query: { valueInputOption: 'RAW' }, json: { values: [columns] } });
    }
    return { sheetId: member(added, 'properties', 'sheetId') ?? null, title };
  },
});
