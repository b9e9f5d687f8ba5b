import type { JsonObject, JsonValue } from '@drawbridge/piece-kit';
import { json, runTrigger } from '../../testing/run-piece.js';
import type { Recorded, Reply } from '../../testing/third-party.js';
import { allOf, fieldRef, isSince, quoted } from './formula.js';
import { airtable } from './index.js';
import { recordChanged } from './triggers/record-changed.js';
import { recordCreated } from './triggers/record-created.js';

const credential = { type: 'SECRET_TEXT', secretText: 'pat_canary' } as const;
const place = { baseId: 'appLkNDICXNqxSDhG', table: 'tbltp8DGLhqbUmjK1' };
const URL = `/v0/${place.baseId}/${place.table}/listRecords`;
const NOW = 'Sat, 31 Jan 2026 09:00:10 GMT';
const at = (second: number, milliseconds = 0): string =>
  new Date(Date.UTC(2026, 0, 31, 9, 0, second, milliseconds)).toISOString();
const record = (id: string, time: string): JsonObject => ({
  id,
  createdTime: time,
  fields: { Name: id, Changed: time },
});

/** Returns a fake table. It evaluates the conditions of the triggers in whole seconds, and sorts only if the request contains an order. */
const asAirtable =
  (records: JsonObject[]) =>
  ({ body }: Recorded): Reply => {
    const { filterByFormula = '', sort, offset = '0', pageSize, maxRecords = Infinity } = JSON.parse(body);
    const [, since = ''] = /NOT\(IS_BEFORE\([^,]+, DATETIME_PARSE\('(.+?)'\)\)\)/.exec(filterByFormula) ?? [];
    const [, until = '9'] =
      /[ (]IS_BEFORE\(CREATED_TIME\(\), DATETIME_PARSE\('([^']+)'\)\)[,)]/.exec(
        filterByFormula.replace(/NOT\(.*?\)\)\)/, ''),
      ) ?? [];
    const found = records.filter(({ createdTime: time }) => String(time) >= since && String(time) < until);
    const order = sort?.[0].direction === 'desc' ? -1 : 1;
    if (sort)
      found.sort((one, other) => order * String(one['createdTime']).localeCompare(String(other['createdTime'])));
    const end = Number(offset) + pageSize;
    const more = end < Math.min(found.length, maxRecords) && { offset: String(end) };
    return json({ records: found.slice(Number(offset), end), ...more }, 200, { date: NOW });
  };

describe('record_created', () => {
  const poll = async (records: JsonObject[], cursor?: JsonValue, input: object = {}) => {
    const setting = { piece: airtable, credential, reply: asAirtable(records) };
    const { output, asked } = await runTrigger(setting, { ...place, ...input }, (context) =>
      recordCreated.poll({ ...context, cursor }),
    );
    return { ...output, ids: output.events.map(({ id }) => id), asked };
  };
  const before = [record('rec1', at(1)), record('rec2', at(2))];

  it('stores the time of Airtable at the first poll and delivers nothing', async () => {
    const input = { view: 'viw1', filterByFormula: '{Price} > 3' };
    const { events, cursor, asked } = await poll(before, undefined, input);
    expect({ events, cursor }).toEqual({ events: [], cursor: { time: at(10), ids: [] } });
    expect(asked).toEqual([`POST ${URL} {"view":"viw1","filterByFormula":"{Price} > 3","pageSize":1,"maxRecords":1}`]);
  });

  it('asks for the records since the second of the cursor', async () => {
    const input = { view: 'viw1', filterByFormula: '{Price} > 3' };
    const { asked } = await poll(before, { time: at(10, 700), ids: [] }, input);
    const formula = `AND(NOT(IS_BEFORE(CREATED_TIME(), DATETIME_PARSE('${at(10)}'))), {Price} > 3)`;
    expect(asked).toEqual([`POST ${URL} {"view":"viw1","filterByFormula":"${formula}","pageSize":100}`]);
  });

  it('delivers each record once, oldest first, in whatever order Airtable lists them', async () => {
    const { cursor } = await poll(before);
    const records = [record('rec4', at(12)), ...before, record('rec3', at(11))];
    const next = await poll(records, cursor);
    expect(next.events.map(({ id, data }) => [id, data])).toEqual([
      ['rec3', records[3]],
      ['rec4', records[0]],
    ]);
    expect((await poll(records, next.cursor)).ids).toEqual([]);
    expect(await poll(records, cursor)).toEqual(next); // Repeats the same poll, as after a crash.
  });

  it('loses no record of the same second or the same millisecond', async () => {
    const { cursor } = await poll(before);
    const records = [record('rec3', at(11, 500))];
    const first = await poll(records, cursor);
    const second = await poll([record('rec4', at(11, 500)), ...records, record('rec5', at(11, 900))], first.cursor);
    expect([first.ids, second.ids]).toEqual([['rec3'], ['rec4', 'rec5']]);
  });

  it('finds all of many records, several polls long', async () => {
    const { cursor } = await poll(before);
    const many = Array.from({ length: 2_500 }, (_, index) => record(`rec${index}`, at(11, index)));
    const shuffled = many.filter((_, index) => index % 2).concat(many.filter((_, index) => index % 2 === 0));
    const found: string[] = [];
    let [next, polls] = [await poll(shuffled, cursor), 1];
    for (; next.ids.length > 0; polls++) {
      found.push(...next.ids);
      next = await poll(shuffled, next.cursor);
    }
    expect(found).toEqual(many.map(({ id }) => id));
    expect(polls).toBeLessThan(6);
  });

  it('ends if many records have the same time', async () => {
    const { cursor } = await poll(before);
    const many = Array.from({ length: 2_100 }, (_, index) => record(`rec${index}`, at(11)));
    expect((await poll(many, cursor)).ids.length).toBeGreaterThan(0);
  });
});

describe('record_changed', () => {
  const poll = async (records: JsonObject[], cursor?: JsonValue, input: object = {}) => {
    const setting = { piece: airtable, credential, reply: asAirtable(records) };
    const { output, asked } = await runTrigger(setting, { ...place, field: 'Changed', ...input }, (context) =>
      recordChanged.poll({ ...context, cursor }),
    );
    return { ...output, ids: output.events.map(({ id }) => id), asked };
  };
  const before = [record('rec1', at(1)), record('rec2', at(2)), { id: 'rec0', createdTime: at(0), fields: {} }];

  it('stores the last change at the first poll and delivers nothing', async () => {
    const { events, cursor, asked } = await poll(before, undefined, { view: 'viw1' });
    expect({ events, cursor }).toEqual({ events: [], cursor: { time: at(2), ids: [`rec2:${at(2)}`] } });
    expect(asked).toEqual([
      `POST ${URL} {"view":"viw1","sort":[{"field":"Changed","direction":"desc"}],"pageSize":100}`,
    ]);
  });

  it('delivers each change once, oldest first', async () => {
    const { cursor } = await poll(before);
    const changed = [record('rec1', at(3, 5)), record('rec2', at(2)), record('rec3', at(3))];
    const next = await poll(changed, cursor, { filterByFormula: '{Price} > 3' });
    expect(next.ids).toEqual([`rec3:${at(3)}`, `rec1:${at(3, 5)}`]);
    expect(next.events[1]?.data).toEqual({ ...changed[0], changedTime: at(3, 5) });
    expect(next.asked).toEqual([
      `POST ${URL} {"filterByFormula":"AND(NOT(IS_BEFORE({Changed}, DATETIME_PARSE('${at(2)}'))), {Price} > 3)",` +
        '"sort":[{"field":"Changed","direction":"asc"}],"pageSize":100}',
    ]);
    expect((await poll(changed, next.cursor)).ids).toEqual([]);
    expect((await poll([record('rec1', at(4)), ...changed.slice(1)], next.cursor)).ids).toEqual([`rec1:${at(4)}`]);
    expect((await poll(changed, cursor, { filterByFormula: '{Price} > 3' })).events).toEqual(next.events);
  });
});

it('writes formulas as pyairtable does', () => {
  expect(quoted("Guest's \\ Name")).toBe("'Guest\\'s \\\\ Name'");
  expect(fieldRef('a}b')).toBe('{a\\}b}');
  expect(isSince('{T}', new Date('2023-12-01T12:34:56.789Z'))).toBe(
    "NOT(IS_BEFORE({T}, DATETIME_PARSE('2023-12-01T12:34:56.000Z')))",
  );
  expect([allOf(), allOf('', ' '), allOf('a'), allOf('a', undefined, 'b')]).toEqual([
    undefined,
    undefined,
    'a',
    'AND(a, b)',
  ]);
});
