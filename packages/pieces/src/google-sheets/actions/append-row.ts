import { action, textAt } from '@drawbridge/piece-kit';
import { rowOf } from '../a1.js';
import { toRow } from '../columns.js';
import { headerRow, place, valueInputOption, values } from '../properties.js';
import { headerOf, readColumns, valuesPath } from '../sheet.js';

/** https://developers.google.com/workspace/sheets/api/reference/rest/v4/spreadsheets.values/append */
export const appendRow = action({
  displayName: 'Append row',
  description: 'Adds a row below the last one and returns its number.',
  category: 'write',
  adds: true,
  props: { ...place, values, valueInputOption, headerRow },
  run: async ({ http, input: { values: given, valueInputOption: option = 'RAW', ...at } }) => {
    const row = toRow(await readColumns(http, at), given);
    const query = { valueInputOption: option, insertDataOption: 'INSERT_ROWS' };
    const path = valuesPath(at, `A${headerOf(at)}`, ':append');
    const answer = await http.json({ method: 'POST', path, query, json: { values: [row] } });
    const range = textAt(answer, 'updates', 'updatedRange') ?? '';
    return { row: rowOf(range) ?? null, range };
  },
});
