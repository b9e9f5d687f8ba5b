import { type Http, type JsonValue } from '@drawbridge/piece-kit';
import { headerRowOf, type Table, valuesPath } from './sheet.js';

/** Adds rows below the table that begins with the header row. Google would treat a title above the header as a separate table. */
export function appendCells(
  http: Http,
  table: Table,
  values: JsonValue[][],
  valueInputOption: 'RAW' | 'USER_ENTERED' = 'RAW',
): Promise<JsonValue> {
  const path = valuesPath(table, `A${headerRowOf(table)}`, ':append');
  const query = { valueInputOption, insertDataOption: 'INSERT_ROWS' };
  return http.json({ method: 'POST', path, query, json: { values } });
}
