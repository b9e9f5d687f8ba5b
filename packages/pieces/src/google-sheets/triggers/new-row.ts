import { firstThatFit, type Http, trigger } from '@drawbridge/piece-kit';
import { toValues } from '../columns.js';
import { digestOf } from '../digest.js';
import { table } from '../properties.js';
import { headerRowOf, isBlank, readColumns, readRows, type Table } from '../sheet.js';
import { endOf, findLast, type Known, type Section, TAIL, tailAt } from './known-rows.js';

/** `polls` is part of the event ids, so that a row that equals a deleted row is a new event. Cursors of earlier versions have a hash but no tail. */
type Cursor = { rows: number; hash?: string; tail?: string[]; polls?: number };

/** Maximum number of rows that a poll reads below the last known row, and above it if that row has moved. */
const LIMIT = 1_000;

/**
 * Google has no event for rows, so they are counted. The digests of the last rows find these rows again after rows above them were added or removed.
 */
export const newRow = trigger({
  kind: 'polling',
  displayName: 'New row',
  description:
    'Runs when a row is added below the others. Reads up to 1,000 rows below the last one, so a row below more empty rows is not found.',
  props: table,
  sample: { row: 2, values: { Name: 'Ann', Email: 'ann@acme.example' } },
  poll: async ({ http, input, cursor }) => {
    if (cursor === undefined) return { events: [], cursor: await start(http, input) };

    const { polls = 0, ...seen } = cursor as Cursor;
    const { section, last } = await locate(http, input, toKnown(seen, headerRowOf(input)));
    const fresh = section.rows.slice(last + 1 - section.start);
    const columns = fresh.length > 0 ? await readColumns(http, input) : [];
    const { events, read } = firstThatFit(fresh, (row, index) => {
      const number = last + 1 + index;
      const id = `${polls}-${number}-${digestOf(row, ID)}`;
      return isBlank(row) ? undefined : { id, data: { row: number, values: toValues(columns, row) } };
    });
    const next = cursorAt(section, last + read.length, polls + 1);
    const isMore = fresh.length > 0 && (read.length < fresh.length || last + fresh.length >= section.to);
    return { events, cursor: next, ...(isMore && { isMore }) };
  },
});

const ID = 22;

/** The first poll reads the whole sheet, because Google does not return the number of the last row. */
async function start(http: Http, at: Table): Promise<Cursor> {
  const section = await readSection(http, at, headerRowOf(at) + 1);
  return cursorAt(section, endOf(section), 0);
}

const cursorAt = (section: Section, last: number, polls: number): Cursor => ({
  rows: last,
  tail: tailAt(section, last),
  polls,
});

const toKnown = ({ rows, hash, tail = hash === undefined ? [] : [hash] }: Cursor, headerRow: number): Known => ({
  last: Math.max(rows, headerRow),
  tail,
});

/** Reads the rows below the last known row, and returns them with the current number of that row, which changes if rows above it are deleted. */
async function locate(http: Http, at: Table, known: Known): Promise<{ section: Read; last: number }> {
  const first = headerRowOf(at) + 1;
  const to = known.last + LIMIT;
  const near = await readSection(http, at, Math.max(first, known.last + 1 - TAIL), to);
  const same = findLast(near, known);
  if (same?.isExact) return { section: near, last: same.row };

  const wide = near.start === first ? near : await readSection(http, at, Math.max(first, known.last + 1 - LIMIT), to);
  const moved = findLast(wide, known);
  if (moved) return { section: wide, last: moved.row };
  if (wide.rows.length > 0) return { section: wide, last: Math.min(known.last, endOf(wide)) };

  // So many rows were deleted that all remaining rows are above the section that was read, so the whole sheet is read.
  const all = wide.start === first ? wide : await readSection(http, at, first);
  return { section: all, last: endOf(all) };
}

/** A section of a sheet without empty rows at its end. `to` is the number of the last requested row. */
interface Read extends Section {
  to: number;
}

/** Formulas without a result count as empty rows, so a sheet with formulas in unused rows ends above them. */
async function readSection(http: Http, at: Table, start: number, to = Infinity): Promise<Read> {
  const rows = await readRows(http, at, to === Infinity ? `A${start}:ZZZ` : `${start}:${to}`);
  const end = rows.findLastIndex((row) => !isBlank(row));
  return { start, to, rows: rows.slice(0, end + 1) };
}
