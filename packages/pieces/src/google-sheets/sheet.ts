import { expandPath, listAt, ProviderError, type Http, type JsonValue } from '@drawbridge/piece-kit';
import { rangeOf } from './a1.js';
import { toColumns } from './columns.js';

export interface Sheet {
  spreadsheetId: string;
  sheet: string;
}

export type Render = 'FORMATTED_VALUE' | 'UNFORMATTED_VALUE' | 'FORMULA';

/** Returns the path of a range of cells, or of an operation on it. */
export const valuesPath = ({ spreadsheetId, sheet }: Sheet, cells?: string, verb = ''): string =>
  expandPath(`/v4/spreadsheets/{id}/values/{range}${verb}`, { id: idOf(spreadsheetId), range: rangeOf(sheet, cells) });

export const spreadsheetPath = (id: string): string => expandPath('/v4/spreadsheets/{id}', { id: idOf(id) });

/** Extracts the id from a spreadsheet's URL, which users often paste instead. */
const idOf = (given: string): string => /\/spreadsheets\/d\/([\w-]+)/.exec(given)?.[1] ?? given;

export async function readColumns(http: Http, place: Sheet): Promise<string[]> {
  const [header = []] = await readRows(http, place, '1:1');
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
