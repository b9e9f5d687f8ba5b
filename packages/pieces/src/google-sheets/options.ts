import { listOptions, type JsonObject, type LoadOptions, member, textAt } from '@drawbridge/piece-kit';
import { googlePaging } from '../google.js';
import { readColumns, readSheets, type Table } from './sheet.js';
import { spreadsheetFiles } from './spreadsheet-files.js';

const LIMIT = 300;
const NOTHING = { options: [], disabled: true };

/** Lists the most recently changed spreadsheets. With a search, lists those with words that begin with it. */
export const spreadsheets: LoadOptions = async ({ http, search = '' }) => {
  const request = spreadsheetFiles({ search, fields: 'id,name', orderBy: 'modifiedTime desc' });
  return listOptions(http, request, { limit: LIMIT, paging: googlePaging('files') });
};

export const sheets: LoadOptions = async ({ http, input }) => {
  const id = textAt(input, 'spreadsheetId');
  if (!id) return NOTHING;
  const titles = (await readSheets(http, id, 'title')).map((sheet) => textAt(sheet, 'title'));
  return titles.flatMap((title) => (title ? [{ label: title, value: title }] : []));
};

export const columns: LoadOptions = async ({ http, input }) => {
  const table = tableIn(input);
  return table ? (await readColumns(http, table)).map((name) => ({ label: name, value: name })) : NOTHING;
};

/** Returns the sheet that is selected in the form. An invalid header row counts as absent. */
export function tableIn(input: JsonObject): Table | undefined {
  const [spreadsheetId, sheet] = [textAt(input, 'spreadsheetId'), textAt(input, 'sheet')];
  if (!spreadsheetId || !sheet) return undefined;
  const row = member(input, 'headerRow');
  const isValid = typeof row === 'number' && Number.isInteger(row) && row > 0;
  return { spreadsheetId, sheet, ...(isValid && { headerRow: row }) };
}
