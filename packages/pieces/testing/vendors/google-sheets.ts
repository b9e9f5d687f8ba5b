import type { JsonValue } from '@drawbridge/piece-kit';
import { json } from '../run-piece.js';
import type { Recorded, Reply } from '../third-party.js';

const ROWS = [['Name', 'Email', '', 'Name'], ['Ann', 'ann@acme.example', 3], [], ['Bo', 'BO@acme.example', '', true]];

const SHEETS = [
  { properties: { sheetId: 0, title: 'People', index: 0, gridProperties: { rowCount: 1000, columnCount: 26 } } },
  {
    properties: { sheetId: 7, title: "Bo's", index: 1, hidden: true, gridProperties: { rowCount: 4, columnCount: 4 } },
  },
];
const ADDED = { properties: { sheetId: 8, title: 'Staff' } };

/** Fakes a spreadsheet with one sheet: reads return its ranges, and writes return the range that they wrote. */
export const asGoogle =
  (rows: JsonValue[][] = ROWS) =>
  ({ method, url }: Recorded): Reply => {
    const rowIn = (range: string) => ({ range, values: [rows[Number(/(\d+)$/.exec(range)?.[1]) - 1]] });
    const { pathname, searchParams } = new URL(url, 'http://google');
    const operation = /\/spreadsheets\/s1(?:\/values)?(:\w+)?$/.exec(pathname);
    if (operation && method === 'GET' && !operation[1]) return json({ sheets: SHEETS });
    if (operation?.[1] === ':batchUpdate') return json({ replies: [{ addSheet: ADDED }], totalUpdatedCells: 3 });
    if (operation?.[1] === ':batchGet') return json({ valueRanges: searchParams.getAll('ranges').map(rowIn) });
    if (pathname.endsWith(':copyTo')) return json({ sheetId: 9, title: "Copy of Bo's" });
    const range = decodeURIComponent(pathname.split('/').at(-1) ?? '').replace(/:(append|clear)$/, '');
    if (method === 'POST') return json({ updates: { updatedRange: `${range.split('!')[0]}!A5:F5` } });
    if (method === 'PUT') return json({ updatedRange: range });
    const [from = 1, to = rows.length] = [...range.replace(/^.*!/, '').matchAll(/\d+/g)].map(Number);
    const column = /!([A-Z])\d+:[A-Z]$/.exec(range)?.[1];
    if (!column) return json({ values: rows.slice(from - 1, to) });
    const index = column.charCodeAt(0) - 65;
    return json({ values: rows.slice(from - 1).map((row) => row.slice(index, index + 1)) });
  };
