import { action, dropdown, expandPath, type JsonObject, member, shortText } from '@drawbridge/piece-kit';
import { pickFields, same } from '../../pick-fields.js';
import { spreadsheets } from '../options.js';
import { place, TITLE } from '../properties.js';
import { change, idOf, requireSheetId, spreadsheetPath } from '../sheet.js';

/**
 * Copies a sheet within its spreadsheet or to another spreadsheet:
 * https://developers.google.com/workspace/sheets/api/reference/rest/v4/spreadsheets.sheets/copyTo
 */
export const copySheet = action({
  displayName: 'Copy sheet',
  description:
    'Copies a sheet within its spreadsheet or to another one. Returns the sheetId, title and index of the copy.',
  category: 'write',
  adds: true,
  props: {
    ...place,
    targetSpreadsheetId: dropdown('Target spreadsheet', {
      description: 'The id or URL that gets the copy. Defaults to the same spreadsheet.',
      options: spreadsheets,
    }),
    title: shortText('Title', { description: 'The name of the copy. Defaults to "Copy of" and the name.', ...TITLE }),
  },
  run: async ({ http, input: { targetSpreadsheetId, title, ...at } }) => {
    const target = targetSpreadsheetId ?? at.spreadsheetId;
    const id = String(await requireSheetId(http, at));
    const path = spreadsheetPath(at.spreadsheetId) + expandPath('/sheets/{id}:copyTo', { id });
    const copy = await http.json({ method: 'POST', path, json: { destinationSpreadsheetId: idOf(target) } });
    const made: JsonObject = pickFields(copy, same('sheetId', 'title', 'index'));
    if (title === undefined) return made;

    // Google determines the name of the copy, so a second request sets the name.
    const properties = { sheetId: member(copy, 'sheetId') ?? null, title };
    await change(http, target, { updateSheetProperties: { properties, fields: 'title' } });
    return { ...made, title };
  },
});
