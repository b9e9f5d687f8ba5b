import { listAt, textAt, type JsonObject, type LoadOptions, listOptions } from '@drawbridge/piece-kit';
import { googlePaging } from '../google.js';
import { DRIVE_ORIGIN } from './origins.js';
import { readColumns, spreadsheetPath, type Table } from './sheet.js';

const LIMIT = 300;
const NOTHING = { options: [], disabled: true };

/** https://developers.google.com/workspace/drive/api/guides/search-files: the most recently changed, or those with words of this prefix. */
export const spreadsheets: LoadOptions = async ({ http, search = '' }) => {
  const words = search.split(/\s+/).filter(Boolean);
  const q = [
    "mimeType = 'application/vnd.google-apps.spreadsheet'",
    'trashed = false',
    ...words.map((word) => `name contains '${word.replace(/[\\']/g, '\\$&')}'`),
  ].join(' and ');
  const everywhere = { includeItemsFromAllDrives: true, supportsAllDrives: true };
  const query = {
    q,
    fields: 'nextPageToken,files(id,name)',
    orderBy: 'modifiedTime desc',
    pageSize: 100,
    ...everywhere,
  };
  return listOptions(
    http,
    { method: 'GET', path: `${DRIVE_ORIGIN}/drive/v3/files`, query },
    { limit: LIMIT, paging: googlePaging('files') },
  );
};

export const sheets: LoadOptions = async ({ http, input }) => {
  const id = textAt(input, 'spreadsheetId');
  if (!id) return NOTHING;
  const path = spreadsheetPath(id);
  const body = await http.json({ method: 'GET', path, query: { fields: 'sheets.properties.title' } });
  const titles = listAt(body, 'sheets').map((sheet) => textAt(sheet, 'properties', 'title'));
  return titles.flatMap((title) => (title ? [{ label: title, value: title }] : []));
};

export const columns: LoadOptions = async ({ http, input }) => {
  const place = placeIn(input);
  return place ? (await readColumns(http, place)).map((name) => ({ label: name, value: name })) : NOTHING;
};

/** Returns the sheet that the form has selected so far. */
export function placeIn(input: JsonObject): Table | undefined {
  const [spreadsheetId, sheet] = [textAt(input, 'spreadsheetId'), textAt(input, 'sheet')];
  const { headerRow } = input;
  const hasHeader = Number.isInteger(headerRow) && Number(headerRow) > 0;
  return spreadsheetId && sheet
    ? { spreadsheetId, sheet, ...(hasHeader && { headerRow: Number(headerRow) }) }
    : undefined;
}
