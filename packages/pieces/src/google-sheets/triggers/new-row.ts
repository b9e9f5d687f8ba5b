import { createHash } from 'node:crypto';
import { firstThatFit, trigger, type JsonValue } from '@drawbridge/piece-kit';
import { toColumns, toValues } from '../columns.js';
import { place } from '../properties.js';
import { readRows } from '../sheet.js';

/** The position and the hash of the last row that was seen. */
type Cursor = { rows: number; hash: string };

/** Google has no event for rows, so they are counted. The hash finds the last row again if rows above it were added or removed. */
export const newRow = trigger({
  kind: 'polling',
  displayName: 'New row',
  description: 'Runs when a row is added below the others. Row 1 of the sheet must hold the column names.',
  props: place,
  sample: { row: 2, values: { Name: 'Ann', Email: 'ann@acme.example' } },
  poll: async ({ http, input, cursor }) => {
    const rows = await readRows(http, input);
    if (cursor === undefined) return { events: [], cursor: cursorAt(rows) };

    const columns = toColumns(rows[0] ?? []);
    const seen = Math.max(1, lastSeen(rows, cursor as Cursor));
    const { events, read } = firstThatFit(rows.slice(seen), (row, index) => {
      const number = seen + index + 1;
      const id = `${number}-${hashOf(row)}`;
      return row.some((cell) => cell !== '')
        ? { id, data: { row: number, values: toValues(columns, row) } }
        : undefined;
    });
    return { events, cursor: cursorAt(rows.slice(0, seen + read.length)) };
  },
});

const cursorAt = (rows: readonly JsonValue[][]): Cursor => ({ rows: rows.length, hash: hashOf(rows.at(-1)) });

/** Returns the number of known rows: up to the nearest row with the same hash, else the old number. */
function lastSeen(rows: readonly JsonValue[][], { rows: count, hash }: Cursor): number {
  const same = rows.flatMap((row, index) => (hashOf(row) === hash ? [index + 1] : []));
  const nearest = same.sort((one, other) => Math.abs(one - count) - Math.abs(other - count))[0];
  return nearest ?? count;
}

const hashOf = (row: readonly JsonValue[] = []): string =>
  createHash('sha256').update(JSON.stringify(row)).digest('base64url').slice(0, 22);
