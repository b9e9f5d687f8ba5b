import { firstThatFit, type Http, type JsonValue, trigger } from '@drawbridge/piece-kit';
import { toValues } from '../columns.js';
import { headerRow, place } from '../properties.js';
import { hashOf, isEmpty } from '../row-hash.js';
import { headerOf, readColumns, readRows, type Table } from '../sheet.js';

/** The number and the hash of the last row that was seen. */
type Cursor = { rows: number; hash: string };

/** The rows of one poll. */
const LIMIT = 1_000;

/** Google has no event for rows. The hash shows whether the last row that was seen is still at its place: then only the rows below it are read. */
export const newRow = trigger({
  kind: 'polling',
  displayName: 'New row',
  description: 'Runs when a row is added below the others.',
  props: { ...place, headerRow },
  sample: { row: 2, values: { Name: 'Ann', Email: 'ann@acme.example' } },
  poll: async ({ http, input, cursor }) => {
    if (cursor === undefined) return { events: [], cursor: cursorAt(await readRows(http, input)) };

    const found = await rowsSince(http, input, cursor as Cursor);
    const { start, rows } = found;
    const columns = rows.length > 0 ? await readColumns(http, input) : [];
    const { events, read } = firstThatFit(rows, (cells, index) => {
      const row = start + index + 1;
      return isEmpty(cells)
        ? undefined
        : { id: `${row}-${hashOf(cells)}`, data: { row, values: toValues(columns, cells) } };
    });
    const isMore = found.isMore || read.length < rows.length;
    const next: Cursor = { rows: start + read.length, hash: hashOf(read.at(-1) ?? found.last) };
    return { events, cursor: next, ...(isMore && { isMore }) };
  },
});

interface Found {
  /** The number of known rows, and the last one of them. */
  start: number;
  last: JsonValue[] | undefined;
  /** The rows below them, at most `LIMIT`. */
  rows: JsonValue[][];
  isMore: boolean;
}

/** Returns the rows below the last one that was seen. Reads the whole sheet only if that row is not at its place: rows above it were added or removed. */
async function rowsSince(http: Http, place: Table, seen: Cursor): Promise<Found> {
  const header = headerOf(place);
  const top = Math.max(seen.rows, 1);
  const [last, ...below] = await readRows(http, place, `${top}:${top + LIMIT}`);
  if (seen.rows > header && hashOf(last) === seen.hash)
    return { start: top, last, rows: below, isMore: below.length === LIMIT };
  const rows = await readRows(http, place);
  const start = Math.max(header, placeOf(rows, seen));
  const isMore = rows.length > start + LIMIT;
  return { start, last: rows[start - 1], rows: rows.slice(start, start + LIMIT), isMore };
}

/** Returns the number of known rows: up to the nearest row with the same hash, else the old number. */
function placeOf(rows: readonly JsonValue[][], { rows: count, hash }: Cursor): number {
  const same = rows.flatMap((row, index) => (hashOf(row) === hash ? [index + 1] : []));
  const nearest = same.sort((one, other) => Math.abs(one - count) - Math.abs(other - count))[0];
  return Math.min(nearest ?? count, rows.length);
}

const cursorAt = (rows: readonly JsonValue[][]): Cursor => ({ rows: rows.length, hash: hashOf(rows.at(-1)) });
