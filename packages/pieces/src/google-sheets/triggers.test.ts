import type { JsonValue } from '@drawbridge/piece-kit';
import { readDescription } from '../../testing/read-description.js';
import { json, runTrigger } from '../../testing/run-piece.js';
import type { Recorded, Reply } from '../../testing/third-party.js';
import { by } from '../../testing/witness.js';
import { googleSheets } from './index.js';
import { newRow } from './triggers/new-row.js';
import { newSpreadsheet } from './triggers/new-spreadsheet.js';
import { rowChanged } from './triggers/row-changed.js';

const credential = { type: 'OAUTH2', accessToken: 'ya29.canary', tokenType: 'Bearer' } as const;
const place = { spreadsheetId: 's1', sheet: 'People' };
const check = by(readDescription('google-sheets', 'sheets'), readDescription('google-sheets', 'drive'));

/** Answers a range of whole rows, or the whole sheet. */
const asSheet =
  (rows: JsonValue[][]) =>
  ({ url }: Recorded): Reply => {
    const [from = 1, to = rows.length] = [...decodeURIComponent(url).replace(/^.*'/, '').matchAll(/\d+/g)].map(Number);
    return json({ values: rows.slice(from - 1, to) });
  };

/** Polls a sheet with these rows. */
async function poll(rows: JsonValue[][], cursor?: JsonValue, more = {}) {
  const setting = { piece: googleSheets, credential, reply: asSheet(rows) };
  const { output, asked, received } = await runTrigger(setting, { ...place, ...more }, (context) =>
    newRow.poll({ ...context, cursor }),
  );
  expect(received.flatMap(check)).toEqual([]);
  return { ...output, rows: output.events.map(({ data }) => data['row']), asked };
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

it('delivers a row added after rows were deleted', async () => {
  const fewer = await poll([head, ['Ann']], cursor);
  expect((await poll([head, ['Ann'], ['Cy']], fewer.cursor)).rows).toEqual([3]);
});

it('delivers rows with some empty cells', async () => {
  expect((await poll([...before, ['', 'x'], ['', '']], cursor)).rows).toEqual([4]);
});

it('reads only the rows below the last one, unless that one has moved', async () => {
  const [sheet, header] = ["GET /v4/spreadsheets/s1/values/'People'", '!1%3A1'];
  expect((await poll(before)).asked).toEqual([sheet]);
  const unchanged = await poll(before, cursor);
  expect(unchanged.asked).toEqual([`${sheet}!3%3A1003`]);
  expect((await poll(before, unchanged.cursor)).asked).toEqual([`${sheet}!3%3A1003`]);
  expect((await poll([...before, ['Cy']], cursor)).asked).toEqual([`${sheet}!3%3A1003`, `${sheet}${header}`]);
  expect((await poll([head, ['Bo'], ['Cy']], cursor)).asked).toEqual([`${sheet}!3%3A1003`, sheet, `${sheet}${header}`]);
});

it('delivers many rows in several polls', async () => {
  const many = [...before, ...Array.from({ length: 1_500 }, (_, index) => [`n${index}`])];
  const first = await poll(many, cursor);
  const second = await poll(many, first.cursor);
  expect([first.rows.length, first.isMore, second.rows.length, second.isMore]).toEqual([1_000, true, 500, undefined]);
  const moved = await poll([head, ['New'], ...many.slice(1)], cursor);
  expect([moved.rows.length, moved.rows[0], moved.isMore]).toEqual([1_000, 5, true]);
});

it('finds the column names in another row', async () => {
  const report = [['Report of January'], [], ['Name'], ['Ann']];
  const known = await poll(report, undefined, { headerRow: 3 });
  const { events, asked } = await poll([...report, ['Bo']], known.cursor, { headerRow: 3 });
  expect(events.map(({ data }) => data)).toEqual([{ row: 5, values: { Name: 'Bo' } }]);
  expect(asked.at(-1)).toContain('!3%3A3');
});

it('delivers no header as a row', async () => {
  const report = [['Report']];
  const known = await poll(report, undefined, { headerRow: 3 });
  expect((await poll([...report, [], ['Name'], ['Ann']], known.cursor, { headerRow: 3 })).rows).toEqual([4]);
});

describe('changed rows', () => {
  async function changed(rows: JsonValue[][], version: string, cursor?: JsonValue, more = {}) {
    const reply = (request: Recorded): Reply =>
      request.url.startsWith('/drive/') ? json({ version }) : asSheet(rows)(request);
    const setting = { piece: googleSheets, credential, reply };
    const { output, asked, received } = await runTrigger(setting, { ...place, ...more }, (context) =>
      rowChanged.poll({ ...context, cursor }),
    );
    expect(received.flatMap(check)).toEqual([]);
    return { ...output, rows: output.events.map(({ data }) => data['row']), asked };
  }
  const file = 'GET /drive/v3/files/s1?fields=version&supportsAllDrives=true';
  const cells = "GET /v4/spreadsheets/s1/values/'People'!1%3A5001";

  it('are not read while the version of the file stays', async () => {
    const first = await changed(before, '7');
    expect({ events: first.events, asked: first.asked }).toEqual({ events: [], asked: [file, cells] });
    const second = await changed([...before, ['Cy']], '7', first.cursor);
    expect(second).toEqual({ events: [], cursor: first.cursor, rows: [], asked: [file] });
  });

  it('are those with cells that no row had', async () => {
    const { cursor: known } = await changed(before, '7');
    const { events, cursor: next } = await changed([head, ['Bo'], ['Ann', 'new'], ['Cy']], '8', known);
    expect(events.map(({ data }) => data)).toEqual([
      { row: 3, values: { Name: 'Ann', B: 'new' } },
      { row: 4, values: { Name: 'Cy' } },
    ]);
    expect((await changed([head, ['Bo'], ['Ann', 'new'], ['Cy'], ['Cy'], ['']], '9', next)).rows).toEqual([5]);
  });

  it('have the same id after a crash, and another one when they get the same cells again', async () => {
    const ann = await changed([head, ['Ann']], '1');
    const bo = await changed([head, ['Bo']], '2', ann.cursor);
    expect(await changed([head, ['Bo']], '3', ann.cursor)).toMatchObject({ events: bo.events });
    const again = await changed([head, ['Ann']], '3', bo.cursor);
    const last = await changed([head, ['Bo']], '4', again.cursor);
    expect(last.events[0]?.id).not.toBe(bo.events[0]?.id);
  });

  it('that do not fit into one poll are delivered by the next one', async () => {
    const { cursor: known } = await changed(before, '7');
    const large = (number: number) => [`${number}`.padEnd(1_500_000, 'x')];
    const after = [...before, large(1), large(2), large(3)];
    const first = await changed(after, '8', known);
    const second = await changed(after, '8', first.cursor);
    expect([first.rows, first.isMore, second.rows, second.isMore]).toEqual([[4, 5], true, [6], undefined]);
    expect((await changed(after, '8', second.cursor)).asked).toEqual([file]);
  });

  it('are below the header row', async () => {
    const report = [['Report'], ['Name'], ['Ann']];
    const { cursor: known } = await changed(report, '1', undefined, { headerRow: 2 });
    const { events } = await changed([['Report 2'], ['Name'], ['Bo']], '2', known, { headerRow: 2 });
    expect(events.map(({ data }) => data)).toEqual([{ row: 3, values: { Name: 'Bo' } }]);
  });
});

it('delivers new spreadsheets, the oldest first', async () => {
  const sheet = (id: string, day: number) => ({
    id,
    name: id,
    createdTime: `2026-01-0${day}T09:00:00.000Z`,
    size: '1',
  });
  const created = async (files: object[], known?: JsonValue) => {
    const setting = { piece: googleSheets, credential, reply: () => json({ files }) };
    const { output, asked, received } = await runTrigger(setting, {}, (context) =>
      newSpreadsheet.poll({ ...context, cursor: known }),
    );
    expect(received.flatMap(check)).toEqual([]);
    return { ...output, asked: decodeURIComponent((asked[0] ?? '').replaceAll('+', ' ')) };
  };
  const first = await created([sheet('a', 1)]);
  expect(first.events).toEqual([]);
  const second = await created([sheet('c', 3), sheet('b', 2), sheet('a', 1)], first.cursor);
  expect(second.events.map(({ id }) => id)).toEqual(['b', 'c']);
  expect(second.events[0]?.data).toEqual({ id: 'b', name: 'b', createdTime: '2026-01-02T09:00:00.000Z' });
  expect(second.asked).toContain("trashed = false and createdTime >= '2026-01-01T09:00:00.000Z'&");
  expect(second.asked).toContain('orderBy=createdTime desc');
});
