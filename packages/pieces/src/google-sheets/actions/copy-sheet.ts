import { action, dropdown, expandPath, member } from '@drawbridge/piece-kit';
import { spreadsheets } from '../options.js';
import { place } from '../properties.js';
import { idOf, sheetIdOf } from '../sheet.js';

/** https://developers.google.com/workspace/sheets/api/reference/rest/v4/spreadsheets.sheets/copyTo */
export const copySheet = action({
  displayName: 'Copy sheet',
  description: 'Copies a sheet into the same or another spreadsheet, and returns the id and the name of the copy.',
  category: 'write',
  adds: true,
  props: {
    ...place,
    destination: dropdown('To', {
      description: 'The id or the URL of the spreadsheet that gets the copy. Defaults to the same one.',
      options: spreadsheets,
    }),
  },
  run: async ({ http, input: { destination, ...at } }) => {
    const [id, sheetId] = [idOf(at.spreadsheetId), await sheetIdOf(http, at)];
    const copy = await http.json({
      method: 'POST',
      path: expandPath('/v4/spreadsheets/{id}/sheets/{sheetId}:copyTo', { id, sheetId }),
      json: { destinationSpreadsheetId: idOf(destination ?? at.spreadsheetId) },
    });
    return { sheetId: member(copy, 'sheetId') ?? null, title: member(copy, 'title') ?? null };
  },
});
