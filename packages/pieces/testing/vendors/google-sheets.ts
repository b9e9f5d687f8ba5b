import type { JsonValue } from '@drawbridge/piece-kit';
import { json } from '../run-piece.js';
import type { Recorded, Reply } from '../third-party.js';

const ROWS = [['Name', 'Email', '', 'Name'], ['Ann', 'ann@acme.example', 3], [], ['Bo', 'BO@acme.example', '', true]];

/** Returns a fake spreadsheet with one sheet. Reads return its ranges, and writes return the range that they wrote. */
export const asGoogle =
  (rows: JsonValue[][] = ROWS) =>
  ({ method, url }: Recorded): Reply => {
    const { pathname } = new URL(url, 'http://google');
    const range = decodeURIComponent(pathname.split('/').at(-1) ?? '').replace(/:(append|clear)$/, '');
    if (method === 'POST') return json({ updates: { updatedRange: `${range.split('!')[0]}!A5:F5` } });
    if (method === 'PUT') return json({ updatedRange: range });
    const [from = 1, to = rows.length] = [...range.replace(/^.*!/, '').matchAll(/\d+/g)].map(Number);
    const column = /!([A-Z])\d+:[A-Z]$/.exec(range)?.[1];
    if (!column) return json({ values: rows.slice(from - 1, to) });
    const index = column.charCodeAt(0) - 65;
    return json({ values: rows.slice(from - 1).map((row) => row.slice(index, index + 1)) });
  };
