import { type JsonObject, type JsonValue } from '@drawbridge/piece-kit';
import { json, pollingOf, runTrigger } from '../../testing/run-piece.js';
import { type Recorded } from '../../testing/third-party.js';
import { salesforce } from './index.js';

const data = { instanceUrl: 'https://acme.my.salesforce.com' };
const credential = { type: 'OAUTH2', accessToken: 'canary', tokenType: 'Bearer', data } as const;
const T = (second: number) => `2026-01-31T09:00:${String(second).padStart(2, '0')}.000+0000`;

const RANGE = /(\w+) ([<>]) (\S+) OR \(\1 = \3 AND Id \2 '(\w+)'\)/;

/** Responds to a query that continues a list as Salesforce does, with the next 200 records ordered by time and id. */
function pageOf(records: JsonObject[], query: string): JsonObject[] {
  const [, field = '', than, time = '', id = ''] = RANGE.exec(query) ?? [];
  const place = (record: JsonObject) => [Date.parse(String(record[field])), String(record['Id'])] as const;
  const [last, rest] = [Date.parse(time), than === '>' ? 1 : -1];
  const isLater = (record: JsonObject) => {
    const [at, its] = place(record);
    return (at === last ? its.localeCompare(id) : at - last) * rest > 0;
  };
  return (field ? records.filter(isLater) : records).slice(0, 200);
}

async function poll(
  name: string,
  { records, cursor, input }: { records: JsonObject[]; cursor?: JsonValue; input?: JsonObject },
  afterPage: () => void = () => undefined,
) {
  const reply = ({ url }: Recorded) => {
    const page = pageOf(records, new URL(url, data.instanceUrl).searchParams.get('q') ?? '');
    afterPage();
    return json({ records: page });
  };
  const { output, urls } = await runTrigger(
    { piece: salesforce, credential, reply },
    { object: 'Account', ...input },
    (context) => pollingOf(salesforce, name).poll({ ...context, cursor }),
  );
  return { ...output, asked: urls.map((url) => new URL(url).searchParams.get('q')) };
}

const row = (Id: string, second: number): JsonObject => ({
  ...{ attributes: { type: 'Account' }, Id, CreatedDate: T(second), SystemModstamp: T(second) },
});
const ids = (events: { id: string }[]) => events.map(({ id }) => id);

it.each([
  ['record_created', 'CreatedDate', ''],
  ['record_updated', 'SystemModstamp', ` ${T(3)}`],
])('%s starts at the newest record, and finds later ones and those of the same second', async (name, time, suffix) => {
  const first = await poll(name, { records: [row('b', 2), row('a', 1)] });
  expect(first.events).toEqual([]);
  expect(first.asked).toEqual([`SELECT FIELDS(ALL) FROM Account ORDER BY ${time} DESC, Id DESC LIMIT 200`]);
  const second = await poll(name, { records: [row('b', 2), row('c', 2), row('d', 3)], cursor: first.cursor });
  expect(ids(second.events)).toEqual([suffix ? `c ${T(2)}` : 'c', `d${suffix}`]);
  expect(second.asked).toEqual([
    `SELECT FIELDS(ALL) FROM Account WHERE ${time} >= 2026-01-31T09:00:02.000Z ORDER BY ${time}, Id LIMIT 200`,
  ]);
  expect(second.events[1]?.data).toEqual({ Id: 'd', CreatedDate: T(3), SystemModstamp: T(3) });
  expect((await poll(name, { records: [row('d', 3)], cursor: second.cursor })).events).toEqual([]);
});

const numbered = (many: number, second: number) =>
  Array.from({ length: many }, (_, n) => row(`r${String(n).padStart(4, '0')}`, second));

it('reads all records of one second, also of a large import', async () => {
  const { cursor } = await poll('record_created', { records: [row('0', 1)] });
  let [found, at]: [string[], JsonValue] = [[], cursor];
  for (let isMore: boolean | undefined = true; isMore;) {
    const polled = await poll('record_created', { records: numbered(2_500, 2), cursor: at });
    [found, at, isMore] = [[...found, ...ids(polled.events)], polled.cursor, polled.isMore];
    expect(polled.asked[1]).toBe(
      'SELECT FIELDS(ALL) FROM Account WHERE (CreatedDate > 2026-01-31T09:00:02.000Z OR ' +
        "(CreatedDate = 2026-01-31T09:00:02.000Z AND Id > 'r0199')) ORDER BY CreatedDate, Id LIMIT 200",
    );
  }
  expect(found).toEqual(numbered(2_500, 2).map(({ Id }) => Id));
});

it('starts after all records of the newest second', async () => {
  const records = [...numbered(250, 2).reverse(), row('a', 1)];
  const { cursor, asked } = await poll('record_created', { records });
  expect(asked[1]).toContain(
    "(CreatedDate < 2026-01-31T09:00:02.000Z OR (CreatedDate = 2026-01-31T09:00:02.000Z AND Id < 'r0050'))",
  );
  expect((await poll('record_created', { records: numbered(250, 2), cursor })).events).toEqual([]);
});

it('finds each record although one before it is changed while the pages are read', async () => {
  const { cursor } = await poll('record_updated', { records: [row('0', 1)] });
  const records = numbered(300, 2);
  const move = () => records.push(row(String(records.shift()?.['Id']), 3));
  const { events } = await poll('record_updated', { records, cursor }, move);
  expect(new Set(ids(events).map((id) => id.split(' ')[0])).size).toBe(300);
});

it.each<JsonObject>([{ Id: 'x' }, { CreatedDate: T(2) }, { Id: "x' OR Id != '", CreatedDate: T(2) }])(
  'does not continue after the record %j',
  async (last) => {
    const { cursor } = await poll('record_created', { records: [row('0', 1)] });
    const records = [...numbered(199, 2), last];
    await expect(poll('record_created', { records, cursor })).rejects.toThrow('without a valid Id or CreatedDate');
  },
);

it('ends if the list does not', async () => {
  const { cursor } = await poll('record_created', { records: [row('0', 1)] });
  const records = numbered(200, 1);
  const reply = () => json({ records });
  const work = runTrigger({ piece: salesforce, credential, reply }, { object: 'Account' }, (context) =>
    pollingOf(salesforce, 'record_created').poll({ ...context, cursor }),
  );
  await expect(work).rejects.toMatchObject({ code: 'TOO_MANY_PAGES' });
});

it.each([
  ['Account', 'AccountHistory', 'AccountId'],
  ['Opportunity', 'OpportunityFieldHistory', 'OpportunityId'],
  ['Invoice__c', 'Invoice__History', 'ParentId'],
])('field_changed reads the history of %s', async (object, history, parent) => {
  const first = await poll('field_changed', { records: [row('a', 1)], input: { object, field: 'StageName' } });
  expect(first.asked).toEqual([
    `SELECT Id, ${parent}, Field, OldValue, NewValue, CreatedById, CreatedDate FROM ${history} ` +
      `WHERE Field IN ('StageName') ORDER BY CreatedDate DESC, Id DESC LIMIT 200`,
  ]);
  const change = { ...row('b', 2), Field: 'StageName', OldValue: 'A', NewValue: 'B' };
  const { events, asked } = await poll('field_changed', {
    ...{ records: [change], cursor: first.cursor, input: { object, field: 'StageName' } },
  });
  expect(ids(events)).toEqual(['b']);
  expect(asked[0]).toContain(
    "WHERE CreatedDate >= 2026-01-31T09:00:01.000Z AND Field IN ('StageName') ORDER BY CreatedDate, Id",
  );
});

it('field_changed finds the changes of a lookup under both of its names', async () => {
  const { asked } = await poll('field_changed', { records: [], input: { object: 'Account', field: 'OwnerId' } });
  expect(asked[0]).toContain("WHERE Field IN ('OwnerId', 'Owner') ORDER BY");
});
