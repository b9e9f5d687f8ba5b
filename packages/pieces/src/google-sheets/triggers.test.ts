import type { JsonValue } from '@drawbridge/piece-kit';
import { json, runTrigger } from '../../testing/run-piece.js';
import { googleSheets } from './index.js';
import { newRow } from './triggers/new-row.js';

const credential = { type: 'OAUTH2', accessToken: 'ya29.canary', tokenType: 'Bearer' } as const;
const place = { spreadsheetId: 's1', sheet: 'People' };

/** Polls a sheet with these rows. */
async function poll(rows: JsonValue[][], cursor?: JsonValue) {
  const setting = { piece: googleSheets, credential, reply: () => json({ values: rows }) };
  const { output, asked } = await runTrigger(setting, place, (context) => newRow.poll({ ...context, cursor }));
  expect(asked).toEqual(["GET /v4/spreadsheets/s1/values/'People'"]);
  return { ...output, rows: output.events.map(({ data }) => data['row']) };
}

const head = ['Name'];
const before = [head, ['Ann'], ['Bo']];
const { cursor } = await poll(before);

it('stores the existing rows at the first poll and delivers none', async () => {
  expect(await poll(before)).toMatchObject({ events: [], cursor: { rows: 3 } });
});

it('delivers new rows with column names and positions', async () => {
  const { events } = await poll([...before, ['Cy'], [''], ['Di', 7]], cursor);
  expect(events.map(({ data }) => data)).toEqual([
    { row: 4, values: { Name: 'Cy' } },
    { row: 6, values: { Name: 'Di', B: 7 } },
  ]);
});

it('delivers the same ids again after a crash, with separate ids for equal rows', async () => {
  const after = [...before, ['Cy'], ['Cy']];
  const first = await poll(after, cursor);
  const again = await poll(after, cursor);
  expect(again).toEqual(first);
  expect(new Set(first.events.map(({ id }) => id)).size).toBe(2);
  expect((await poll(after, first.cursor)).events).toEqual([]);
});

it.each<[string, JsonValue[][], number[]]>([
  ['a row above was deleted', [head, ['Bo'], ['Cy']], [3]],
  ['a row above was added', [head, ['New'], ['Ann'], ['Bo'], ['Cy']], [5]],
  ['the last row was changed', [head, ['Ann'], ['Bob'], ['Cy']], [4]],
  ['rows were deleted', [head, ['Ann']], []],
  ['everything was deleted', [], []],
])('delivers only new rows if %s', async (_, rows, expected) => {
  expect((await poll(rows, cursor)).rows).toEqual(expected);
});

it('delivers rows beyond the limit of one poll in later polls, even if rows above move', async () => {
  const large = (number: number) => [`${number}`.padEnd(1_500_000, 'x')];
  const after = [...before, large(1), large(2), large(3), large(4)];
  const first = await poll(after, cursor);
  const second = await poll([head, ['New'], ...after.slice(1)], first.cursor);
  expect([first.rows, second.rows]).toEqual([
    [4, 5],
    [7, 8],
  ]);
});

it('begins below the column names in an empty sheet', async () => {
  const empty = await poll([]);
  expect((await poll([head, ['Ann']], empty.cursor)).rows).toEqual([2]);
});
