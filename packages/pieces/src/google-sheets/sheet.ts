import {
  expandPath,
  type Http,
  InputError,
  type JsonObject,
  type JsonValue,
  listAt,
  member,
  ProviderError,
  textAt,
} from '@drawbridge/piece-kit';
import { rangeOf } from './a1.js';
import { type Columns, indexOf, toColumns } from './columns.js';

export interface Sheet {
  spreadsheetId: string;
  sheet: string;
}

/** A sheet with column names. Default: the names are in row 1. */
export interface Table extends Sheet {
  headerRow?: number | undefined;
}

export type Render = 'FORMATTED_VALUE' | 'UNFORMATTED_VALUE' | 'FORMULA';

/** Returns the path of a range of cells, or of an operation on it. */
export const valuesPath = ({ spreadsheetId, sheet }: Sheet, cells?: string, verb = ''): string =>
  expandPath(`/v4/spreadsheets/{id}/values/{range}${verb}`, { id: idOf(spreadsheetId), range: rangeOf(sheet, cells) });

export const spreadsheetPath = (id: string): string => expandPath('/v4/spreadsheets/{id}', { id: idOf(id) });

/** Extracts the id from a spreadsheet's URL, because users often enter the URL. */
export const idOf = (given: string): string => /\/spreadsheets\/d\/([\w-]+)/.exec(given)?.[1] ?? given;

export const headerRowOf = ({ headerRow = 1 }: Table): number => headerRow;

export async function readColumns(http: Http, table: Table): Promise<string[]> {
  const row = headerRowOf(table);
  const [header = []] = await readRows(http, table, `${row}:${row}`);
  return toColumns(header);
}

/** Returns the columns of a sheet. The number of all columns is read only if the header row has no column of a wanted name or letter. */
export async function readColumnsFor(http: Http, table: Table, wanted: readonly string[]): Promise<Columns> {
  const names = await readColumns(http, table);
  const isInHeader = wanted.every((name) => (indexOf(names, name) ?? -1) < names.length);
  return { names, count: Math.max(names.length, isInHeader ? 0 : await countColumns(http, table)) };
}

/** Returns the number of a sheet's columns, with and without cells. Google ignores the case of a sheet's name in a range. */
async function countColumns(http: Http, { spreadsheetId, sheet }: Sheet): Promise<number> {
  const found = await readSheets(http, spreadsheetId, 'title,gridProperties.columnCount');
  const own = found.find((one) => textAt(one, 'title')?.toLowerCase() === sheet.toLowerCase());
  const count = member(own ?? {}, 'gridProperties', 'columnCount');
  return typeof count === 'number' ? count : 0;
}

/** Returns the cells of a range, row by row. Returns no rows for a range beyond the end of the sheet. */
export async function readRows(http: Http, place: Sheet, cells?: string, render?: Render): Promise<JsonValue[][]> {
  const request = { method: 'GET', path: valuesPath(place, cells), query: { valueRenderOption: render } };
  const body = await http.json(request).catch((error: unknown) => {
    if (error instanceof ProviderError && /exceeds grid limits/.test(error.message)) return {};
    throw error;
  });
  return listAt(body, 'values').map((row) => (Array.isArray(row) ? row : []));
}

export const isBlank = (row: readonly JsonValue[]): boolean => row.every((cell) => cell === '');

/** Returns the properties of all sheets of a spreadsheet. `fields` are separated by commas. */
export async function readSheets(http: Http, spreadsheetId: string, fields: string): Promise<JsonValue[]> {
  const query = { fields: `sheets.properties(${fields})` };
  const body = await http.json({ method: 'GET', path: spreadsheetPath(spreadsheetId), query });
  return listAt(body, 'sheets').map((sheet) => member(sheet, 'properties') ?? {});
}

/** Returns the id of a sheet, which is a number. Throws InputError for an unknown name. */
export async function requireSheetId(http: Http, { spreadsheetId, sheet }: Sheet): Promise<number> {
  const found = await readSheets(http, spreadsheetId, 'sheetId,title');
  const id = member(found.find((one) => textAt(one, 'title') === sheet) ?? {}, 'sheetId');
  if (typeof id === 'number') return id;
  const names = found.map((one) => `"${textAt(one, 'title') ?? ''}"`).join(', ');
  throw new InputError('sheet', `is an unknown sheet ("${sheet}"). The sheets are: ${names}`);
}

/** Sends one change of a spreadsheet and returns its reply: https://developers.google.com/workspace/sheets/api/reference/rest/v4/spreadsheets/batchUpdate */
export async function change(http: Http, spreadsheetId: string, request: JsonObject): Promise<JsonValue> {
  const path = `${spreadsheetPath(spreadsheetId)}:batchUpdate`;
  const answer = await http.json({ method: 'POST', path, json: { requests: [request] } });
  return listAt(answer, 'replies')[0] ?? {};
}
