import {
  expandPath,
  type Http,
  InputError,
  type JsonValue,
  listAt,
  member,
  ProviderError,
  textAt,
} from '@drawbridge/piece-kit';
import { rangeOf } from './a1.js';
import { toColumns } from './columns.js';

export interface Sheet {
  spreadsheetId: string;
  sheet: string;
}

/** A sheet whose columns have names in one row: the first one, if it is not given. */
export interface Table extends Sheet {
  headerRow?: number;
}

export type Render = 'FORMATTED_VALUE' | 'UNFORMATTED_VALUE' | 'FORMULA';

export const headerOf = ({ headerRow = 1 }: Table): number => headerRow;

/** Returns the path of a range of cells, or of an operation on it. */
export const valuesPath = ({ spreadsheetId, sheet }: Sheet, cells?: string, verb = ''): string =>
  expandPath(`/v4/spreadsheets/{id}/values/{range}${verb}`, { id: idOf(spreadsheetId), range: rangeOf(sheet, cells) });

/** Returns the path of a spreadsheet, or of an operation on it. */
export const spreadsheetPath = (id: string, verb = ''): string =>
  expandPath(`/v4/spreadsheets/{id}${verb}`, { id: idOf(id) });

/** Extracts the id from a spreadsheet's URL, which users often paste instead. */
export const idOf = (given: string): string => /\/spreadsheets\/d\/([\w-]+)/.exec(given)?.[1] ?? given;

export async function readColumns(http: Http, place: Table): Promise<string[]> {
  const row = headerOf(place);
  const [header = []] = await readRows(http, place, `${row}:${row}`);
  return toColumns(header);
}

/** Returns the cells of a range, row by row; empty for a range beyond the end of the sheet. */
export async function readRows(http: Http, place: Sheet, cells?: string, render?: Render): Promise<JsonValue[][]> {
  const request = { method: 'GET', path: valuesPath(place, cells), query: { valueRenderOption: render } };
  const body = await http.json(request).catch((error: unknown) => {
    if (error instanceof ProviderError && /exceeds grid limits/.test(error.message)) return {};
    throw error;
  });
  return listAt(body, 'values').map((row) => (Array.isArray(row) ? row : []));
}

/** Returns the properties of the sheets of a spreadsheet, in the order of the tabs. */
export async function readSheets(http: Http, spreadsheetId: string): Promise<JsonValue[]> {
  const query = { fields: 'sheets.properties(sheetId,title,index,hidden,gridProperties(rowCount,columnCount))' };
  const body = await http.json({ method: 'GET', path: spreadsheetPath(spreadsheetId), query });
  return listAt(body, 'sheets').map((one) => member(one, 'properties') ?? {});
}

/** Returns the numeric id of a sheet, which operations on whole rows and sheets need. Throws InputError for an unknown name. */
export async function sheetIdOf(http: Http, { spreadsheetId, sheet }: Sheet): Promise<number> {
  const sheets = await readSheets(http, spreadsheetId);
  const id = member(
    sheets.find((one) => textAt(one, 'title') === sheet),
    'sheetId',
  );
  if (typeof id === 'number') return id;
  const titles = sheets.map((one) => `"${textAt(one, 'title')}"`).join(', ');
  throw new InputError('sheet', `is unknown (got "${sheet}"). The sheets are: ${titles}`);
}

/** Runs one operation on a spreadsheet: https://developers.google.com/workspace/sheets/api/reference/rest/v4/spreadsheets/batchUpdate */
export async function change(
  http: Http,
  spreadsheetId: string,
  operation: { [name: string]: JsonValue },
): Promise<JsonValue> {
  const path = spreadsheetPath(spreadsheetId, ':batchUpdate');
  const answer = await http.json({ method: 'POST', path, json: { requests: [operation] } });
  return listAt(answer, 'replies')[0] ?? {};
}
