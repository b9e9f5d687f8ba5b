import { createHash } from 'node:crypto';
import { type JsonObject, type JsonValue, type Polled } from '@drawbridge/piece-kit';
import { checkResponse } from '../../testing/check-request.js';
import { readDescription } from '../../testing/read-description.js';
import { json, pollingOf, runTrigger } from '../../testing/run-piece.js';
import type { Recorded, Reply } from '../../testing/third-party.js';
import { by } from '../../testing/witness.js';
import { googleSheets } from './index.js';

const drive = readDescription('google-sheets', 'drive');
const check = by(readDescription('google-sheets', 'sheets'), drive);
const credential = { type: 'OAUTH2', accessToken: 'ya29.canary', tokenType: 'Bearer' } as const;
const place = { spreadsheetId: 's1', sheet: 'People' };

const versionOf = (rows: JsonValue[][]): string =>
  createHash('sha256').update(JSON.stringify(rows)).digest('hex').slice(0, 20);

/**
 * Returns a fake sheet with a grid that ends at its last row. Like Google, it omits empty rows at the end of a range and rejects a range that begins
 * beyond the grid.
 */
const sheetOf =
  (rows: JsonValue[][]) =>
  ({ url }: Recorded): Reply => {
    if (url.startsWith('/drive/')) return json({ version: versionOf(rows) });
    const range = decodeURIComponent(url).split('!')[1] ?? '';
    const [from = 1, to = rows.length] = (range.match(/\d+/g) ?? []).map(Number);
    const message = `Range (${range}) exceeds grid limits. Max rows: ${rows.length}`;
    if (from > Math.max(1, rows.length))
      return json({ error: { code: 400, status: 'INVALID_ARGUMENT', message } }, 400);
    const values = rows.slice(from - 1, to);
    return json({ values: values.slice(0, values.findLastIndex((row) => row.length > 0) + 1) });
  };

interface Past {
  cursor?: JsonValue | undefined;
  input?: JsonObject;
}

/** Polls a sheet with these rows. */
async function poll(name: string, rows: JsonValue[][], { cursor, input = {} }: Past = {}) {
  const setting = { piece: googleSheets, credential, reply: sheetOf(rows) };
  const { output, asked, received } = await runTrigger(setting, { ...place, ...input }, (context) =>
    pollingOf(googleSheets, name).poll({ ...context, cursor }),
  );
  expect(received.flatMap(check)).toEqual([]);
  const ranges = asked.flatMap((line) => decodeURIComponent(line.split('!')[1] ?? '') || []);
  return { ...output, ranges, rows: output.events.map(({ data }) => data['row']) };
}

const head = ['Name'];
const people = (count: number, from = 1): JsonValue[][] =>
  Array.from({ length: count }, (_, index) => [`Person ${from + index}`]);
const ids = ({ events }: Polled) => events.map(({ id }) => id);

describe('new_row', () => {
  const before = [head, ['Ann'], ['Bo']];
  const after = async (rows: JsonValue[][], changed: JsonValue[][], input: JsonObject = {}) => {
    const { cursor } = await poll('new_row', rows, { input });
    return poll('new_row', changed, { cursor, input });
  };

  it('stores the last rows at the first poll and delivers none', async () => {
    const { events, cursor, ranges } = await poll('new_row', before);
    expect({ events, ranges }).toEqual({ events: [], ranges: ['A2:ZZZ'] });
    expect(cursor).toEqual({ rows: 3, tail: [expect.any(String), expect.any(String)], polls: 0 });
  });

  it('delivers new rows with column names and positions', async () => {
    const { events, ranges } = await after(before, [...before, ['Cy'], [''], ['Di', 7]]);
    expect(events.map(({ data }) => data)).toEqual([
      { row: 4, values: { Name: 'Cy' } },
      { row: 6, values: { Name: 'Di', B: 7 } },
    ]);
    expect(ranges).toEqual(['2:1003', '1:1']);
  });

  it('reads only rows from the last known ones, and no column names without a new row', async () => {
    const rows = [head, ...people(5_000)];
    const { cursor } = await poll('new_row', rows);
    expect((await poll('new_row', rows, { cursor })).ranges).toEqual(['4982:6001']);
    expect(cursor).toMatchObject({ rows: 5_001, tail: { length: 20 } });
  });

  it('delivers the same ids again after a crash, with separate ids for equal rows', async () => {
    const { cursor } = await poll('new_row', before);
    const changed = [...before, ['Cy'], ['Cy']];
    const first = await poll('new_row', changed, { cursor });
    expect(await poll('new_row', changed, { cursor })).toEqual(first);
    expect(new Set(ids(first)).size).toBe(2);
    expect((await poll('new_row', changed, { cursor: first.cursor })).events).toEqual([]);
  });

  it('delivers a row with another id if it is added again after its deletion', async () => {
    const first = await after(before, [...before, ['Cy']]);
    const deleted = await poll('new_row', before, first);
    const second = await poll('new_row', [...before, ['Cy']], deleted);
    expect([first.rows, deleted.rows, second.rows]).toEqual([[4], [], [4]]);
    expect(ids(second)).not.toEqual(ids(first));
  });

  it.each<[string, JsonValue[][], number[]]>([
    ['a row above was deleted', [head, ['Bo'], ['Cy']], [3]],
    ['a row above was added', [head, ['New'], ['Ann'], ['Bo'], ['Cy']], [5]],
    ['the last row was changed', [head, ['Ann'], ['Bob'], ['Cy']], [4]],
    ['the last row was deleted', [head, ['Ann']], []],
    ['the last row was deleted and the grid ends above it', [head], []],
    ['all rows were replaced', [head, ['Xi'], ['Yo'], ['Cy']], [4]],
    ['everything was deleted', [], []],
  ])('delivers only new rows if %s', async (_, rows, expected) => {
    expect((await after(before, rows)).rows).toEqual(expected);
  });

  it.each<[string, JsonValue[][], JsonValue[][], number[]]>([
    ['a row above was deleted and an equal row was added', [['Ann'], ['Bo'], ['X']], [['Bo'], ['X'], ['X']], [4]],
    [
      'its surroundings are repeated',
      [['B'], ['B2'], ['A'], ['X'], ['C'], ['A'], ['X']],
      [['A'], ['X'], ['C'], ['A'], ['X'], ['A'], ['X']],
      [7, 8],
    ],
    ['equal rows are added', [['X'], ['X']], [['X'], ['X'], ['X'], ['X']], [4, 5]],
    ['a row near the end was deleted', [['A'], ['B'], ['C'], ['D']], [['A'], ['C'], ['D'], ['E']], [5]],
    ['a row was added between the last ones', [['A'], ['B'], ['C']], [['A'], ['New'], ['B'], ['C'], ['D']], [6]],
    ['an equal row was below a deleted one', [['P'], ['X'], ['Q'], ['X']], [['P'], ['X'], ['X'], ['New']], [5]],
    [
      'others than the third last were changed',
      [['B'], ['X'], ['Y'], ['Z']],
      [['C'], ['X'], ['Y2'], ['Z2'], ['X']],
      [6],
    ],
    ['the last two were changed', [['A'], ['B'], ['C']], [['A'], ['B2'], ['C2'], ['D']], [5]],
  ])('finds the last known row if %s', async (_, rows, changed, expected) => {
    expect((await after([head, ...rows], [head, ...changed])).rows).toEqual(expected);
  });

  it('keeps the number of the last row if all rows at the end are unknown, and delivers no known row again', async () => {
    const next = await after(before, [head, ['Bob'], ['Cy']]);
    expect(next.rows).toEqual([]);
    expect((await poll('new_row', [head, ['Bob'], ['Cy'], ['Di']], next)).rows).toEqual([4]);
  });

  it.each<[string, number, string[]]>([
    ['few', 5, ['1982:3001', '1:1']],
    ['many', 30, ['1982:3001', '1002:3001', '1:1']],
  ])('finds the last known row after %s rows above were deleted', async (_, deleted, ranges) => {
    const rows = people(2_000);
    const next = await after([head, ...rows], [head, ...rows.slice(deleted), ['New']]);
    expect(next).toMatchObject({ rows: [2_002 - deleted], ranges });
  });

  it('does not take a new row for an equal one above the last known row', async () => {
    const rows = people(2_000).with(1_995, ['X']);
    const added = people(30, 5_000).with(25, ['X']);
    const next = await after([head, ...rows], [head, ...rows.slice(30), ...added]);
    expect([next.rows.length, next.rows[0]]).toEqual([30, 1_972]);
  });

  it('reads a small sheet once, and moves the position up to its last row', async () => {
    expect(await after(before, [head, ['Ann']])).toMatchObject({ ranges: ['2:1003'], cursor: { rows: 2 } });
  });

  it('continues above after more rows were deleted than a poll reads', async () => {
    const rows = people(2_500);
    const next = await after([head, ...rows], [head, ...rows.slice(0, 300)]);
    expect(next).toMatchObject({ rows: [], ranges: ['2482:3501', '1502:3501', 'A2:ZZZ'], cursor: { rows: 301 } });
    expect((await poll('new_row', [head, ...rows.slice(0, 301)], next)).rows).toEqual([302]);
  });

  it('delivers rows beyond the limit of one poll in later polls', async () => {
    const rows = [...before, ...people(2_500)];
    const first = await after(before, rows);
    const second = await poll('new_row', rows, first);
    const third = await poll('new_row', rows, second);
    expect([first, second, third].map(({ events, isMore }) => [events.length, isMore])).toEqual([
      [1_000, true],
      [1_000, true],
      [500, undefined],
    ]);
    expect([first.rows[0], second.rows[0], third.rows.at(-1)]).toEqual([4, 1_004, 2_503]);
    expect((await poll('new_row', rows, third)).events).toEqual([]);
  });

  it('delivers large rows in several polls, even if rows above move', async () => {
    const large = (number: number) => [`${number}`.padEnd(1_500_000, 'x')];
    const rows = [...before, large(1), large(2), large(3), large(4)];
    const first = await after(before, rows);
    const second = await poll('new_row', [head, ['New'], ...rows.slice(1)], first);
    expect([first.rows, first.isMore, second.rows, second.isMore]).toEqual([[4, 5], true, [7, 8], undefined]);
  });

  it('begins below the column names in an empty sheet', async () => {
    expect((await after([], [head, ['Ann']])).rows).toEqual([2]);
    expect((await after([['Report'], []], [['Report'], [], head, ['Ann']], { headerRow: 3 })).rows).toEqual([4]);
  });

  it('reads column names from the header row', async () => {
    const rows = [['Report'], [], head, ['Ann']];
    const { events, ranges } = await after(rows, [...rows, ['Bo']], { headerRow: 3 });
    expect(events[0]?.data).toEqual({ row: 5, values: { Name: 'Bo' } });
    expect(ranges).toEqual(['4:1004', '3:3']);
  });

  it('counts formulas without a result as unused rows', async () => {
    const unused = Array.from({ length: 50 }, () => ['']);
    const next = await after([...before, ...unused], [...before, ['Cy'], ...unused]);
    expect(next).toMatchObject({ rows: [4], cursor: { rows: 4 } });
    expect(next.isMore).toBeUndefined();
  });

  it.each<[string, JsonValue, number[]]>([
    ['of a sheet', { rows: 3, hash: 'd024Ov0SJ4MBIncZV60y1V' }, [4]],
    ['of a sheet with column names only', { rows: 1, hash: 'x' }, [2, 3, 4]],
    ['of an empty sheet', { rows: 0, hash: 'x' }, [2, 3, 4]],
  ])('continues from a cursor of an earlier version: %s', async (_, cursor, expected) => {
    expect((await poll('new_row', [...before, ['Cy']], { cursor })).rows).toEqual(expected);
  });

  it('finds the last row of a cursor of an earlier version', async () => {
    const cursor = { rows: 3, hash: 'd024Ov0SJ4MBIncZV60y1V' };
    expect((await poll('new_row', [head, ['New'], ...before.slice(1), ['Cy']], { cursor })).rows).toEqual([5]);
  });
});

describe('row_changed', () => {
  const before = [head, ['Ann', 1], ['Bo', 2], [], ['Cy', 3]];
  const [, ann = [], bo = [], , cy = []] = before;
  const after = async (rows: JsonValue[][], changed: JsonValue[][], input: JsonObject = {}) => {
    const { cursor } = await poll('row_changed', rows, { input });
    return poll('row_changed', changed, { cursor, input });
  };

  it('stores digests at the first poll and delivers none', async () => {
    const { events, cursor, ranges } = await poll('row_changed', before);
    expect({ events, ranges }).toEqual({ events: [], ranges: ['2:2001'] });
    expect(cursor).toEqual({ version: expect.any(String), digests: expect.stringMatching(/^.{32}$/), polls: 0 });
  });

  it('reads the rows only if the file has another version', async () => {
    const { cursor } = await poll('row_changed', before);
    expect(await poll('row_changed', before, { cursor })).toEqual({ events: [], cursor, ranges: [], rows: [] });
    const changed = [head, ['Ann', 9], ...before.slice(2)];
    const next = await poll('row_changed', changed, { cursor });
    expect(next.ranges).toEqual(['2:2001', '1:1']);
    expect((await poll('row_changed', changed, next)).ranges).toEqual([]);
  });

  it('reads the version of a spreadsheet that is named by its URL', async () => {
    const spreadsheetId = 'https://docs.google.com/spreadsheets/d/s1/edit';
    const setting = { piece: googleSheets, credential, reply: sheetOf(before) };
    const { asked } = await runTrigger(setting, { ...place, spreadsheetId }, (context) =>
      pollingOf(googleSheets, 'row_changed').poll({ ...context, cursor: undefined }),
    );
    expect(asked[0]).toBe('GET /drive/v3/files/s1?fields=version&supportsAllDrives=true');
  });

  it('fails if Google Drive returns no version', async () => {
    const setting = { piece: googleSheets, credential, reply: () => json({}) };
    const polled = runTrigger(setting, place, (context) =>
      pollingOf(googleSheets, 'row_changed').poll({ ...context, cursor: undefined }),
    );
    await expect(polled).rejects.toThrow('without a version');
  });

  it('delivers changed rows with column names and positions', async () => {
    const { events, ranges } = await after(before, [head, ann, ['Bo', 5], [], ['Cy', '']]);
    expect(events.map(({ data }) => data)).toEqual([
      { row: 3, values: { Name: 'Bo', B: 5 } },
      { row: 5, values: { Name: 'Cy', B: '' } },
    ]);
    expect(ranges).toEqual(['2:2001', '1:1']);
  });

  it.each<[string, JsonValue[][], number[]]>([
    ['nothing changed', before, []],
    ['a row was added below', [...before, ['Di']], []],
    ['a row was added above', [head, ['New'], ...before.slice(1)], []],
    ['a row was deleted', [head, bo, [], cy], []],
    ['a row was deleted and another one added', [head, bo, [], cy, ['Di']], []],
    ['an empty row was deleted and a row was added', [head, ann, bo, cy, ['Di']], []],
    ['a row was added above a changed one', [head, ['New'], ann, ['Bo', 5], [], cy], [4]],
    ['a row was deleted above a changed one', [head, ['Bo', 5], [], cy], [2]],
    ['rows were sorted', [head, cy, bo, [], ann], []],
    ['rows were sorted and one was changed', [head, cy, ['Bo', 5], [], ann], [3]],
    ['a row was emptied', [head, ann, [''], [], cy], []],
    ['an empty row was filled', [head, ann, bo, ['Di'], cy], [4]],
    ['a row was changed to an equal one', [head, bo, bo, [], cy], [2]],
    ['all rows were changed', [head, ['A'], ['B'], ['C'], ['D']], [2, 3, 4, 5]],
    ['everything was deleted', [], []],
  ])('delivers only changed rows if %s', async (_, rows, expected) => {
    expect((await after(before, rows)).rows).toEqual(expected);
  });

  it('finds changes among many equal rows', async () => {
    const states = (text: string) => [head, ...[...text].map((state) => [state])];
    expect((await after(states('tttdt'), states('dttdd'))).rows).toEqual([2, 6]);
  });

  it('delivers the same ids again after a crash, and another id for a second change to the same content', async () => {
    const first = await poll('row_changed', before);
    const changed = [head, ['Ann', 9], ...before.slice(2)];
    const second = await poll('row_changed', changed, first);
    expect(await poll('row_changed', changed, first)).toEqual(second);
    const third = await poll('row_changed', before, second);
    const fourth = await poll('row_changed', changed, third);
    expect([second, third, fourth].map(({ rows }) => rows)).toEqual([[2], [2], [2]]);
    expect(new Set([...ids(second), ...ids(fourth)]).size).toBe(2);
    expect((await poll('row_changed', changed, fourth)).events).toEqual([]);
  });

  it('delivers large rows in several polls', async () => {
    const large = (number: number) => [`${number}`.padEnd(1_500_000, 'x')];
    const rows = [head, large(1), large(2), large(3), ['Cy']];
    const first = await after(before, rows);
    const second = await poll('row_changed', rows, first);
    const third = await poll('row_changed', rows, second);
    expect([first, second, third].map((one) => [one.rows, one.isMore])).toEqual([
      [[2, 3], true],
      [[4, 5], undefined],
      [[], undefined],
    ]);
  });

  it('observes 2,000 rows, with a cursor of 16 kB', async () => {
    const rows = [head, ...people(2_500)];
    const changed = rows.map((row, index) => (index === 2_000 || index === 2_001 ? ['New'] : row));
    const next = await after(rows, changed);
    expect(next.rows).toEqual([2_001]);
    expect(JSON.stringify(next.cursor).length).toBeLessThan(16_100);
    expect((await after(rows, rows.toSpliced(5, 1))).rows).toEqual([]);
  });

  it('reads rows below the header row', async () => {
    const rows = [['Report'], head, ['Ann']];
    const { events, ranges } = await after(rows, [['Reports'], head, ['Bo']], { headerRow: 2 });
    expect(events.map(({ data }) => data)).toEqual([{ row: 3, values: { Name: 'Bo' } }]);
    expect(ranges).toEqual(['3:2002', '2:2']);
  });
});

describe('new_spreadsheet', () => {
  const file = (id: string, second: number) => ({
    ...{ id, name: `Sheet ${id}`, createdTime: `2026-01-31T09:00:0${second}.000Z`, webViewLink: `https://x/${id}` },
    owners: [{ emailAddress: 'ada@x.example' }],
  });
  const find = async (files: JsonObject[], cursor?: JsonValue) => {
    const reply = ({ url }: Recorded): Reply =>
      url.includes('pageToken')
        ? json({ files: files.slice(2) })
        : json({ files: files.slice(0, 2), nextPageToken: 'n' });
    const { output, urls, received } = await runTrigger({ piece: googleSheets, credential, reply }, {}, (context) =>
      pollingOf(googleSheets, 'new_spreadsheet').poll({ ...context, cursor }),
    );
    expect(received.flatMap(check)).toEqual([]);
    return { ...output, urls };
  };

  it('delivers spreadsheets after the newest known one, oldest first, with those of the same time', async () => {
    const first = await find([file('b', 2), file('a', 1)]);
    expect(first.events).toEqual([]);
    const files = [file('d', 3), file('c', 2), file('b', 2), file('a', 1)];
    const next = await find(files, first.cursor);
    expect(ids(next)).toEqual(['c', 'd']);
    expect(next.events[1]?.data).toEqual({
      ...{ spreadsheetId: 'd', name: 'Sheet d', createdTime: '2026-01-31T09:00:03.000Z' },
      ...{ spreadsheetUrl: 'https://x/d', owners: ['ada@x.example'] },
    });
    expect(await find(files, first.cursor)).toEqual(next);
    expect((await find(files, next.cursor)).events).toEqual([]);
  });

  it('lists spreadsheets of all drives that are not in the trash, the newest first', async () => {
    const { urls } = await find([]);
    const { origin, searchParams } = new URL(urls[0] ?? '');
    expect(origin).toBe('https://www.googleapis.com');
    expect(Object.fromEntries(searchParams)).toEqual({
      q: "mimeType = 'application/vnd.google-apps.spreadsheet' and trashed = false",
      fields: 'nextPageToken,files(id,name,createdTime,webViewLink,owners(emailAddress))',
      ...{ orderBy: 'createdTime desc', pageSize: '100', includeItemsFromAllDrives: 'true', supportsAllDrives: 'true' },
    });
    expect(checkResponse(drive, 'GET /files', { nextPageToken: 'n', files: [file('a', 1)] })).toEqual([]);
  });
});
