import { type JsonObject, type JsonValue } from '@drawbridge/piece-kit';
import { json, pollingOf, runTrigger } from '../../testing/run-piece.js';
import { type Recorded } from '../../testing/third-party.js';
import { salesforce } from './index.js';

const data = { instanceUrl: 'https://acme.my.salesforce.com' };
const credential = { type: 'OAUTH2', accessToken: 'canary', tokenType: 'Bearer', data } as const;
const T = (second: number) => `2026-01-31T09:00:${String(second).padStart(2, '0')}.000+0000`;

async function poll(
  name: string,
  { records, cursor, input }: { records: JsonObject[]; cursor?: JsonValue; input?: JsonObject },
) {
  const reply = ({ url }: Recorded) => {
    const [, offset = '0'] = /OFFSET\+(\d+)/.exec(url) ?? [];
    return json({ records: records.slice(Number(offset), Number(offset) + 200) });
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

it('reads more than a page of records of one second', async () => {
  const { cursor } = await poll('record_created', { records: [row('0', 1)] });
  const records = Array.from({ length: 450 }, (_, n) => row(`r${n}`, 2));
  const { events, asked } = await poll('record_created', { records, cursor });
  expect(events).toHaveLength(450);
  expect(asked.map((q) => q?.split('LIMIT 200')[1])).toEqual(['', ' OFFSET 200', ' OFFSET 400']);
});

it.each([
  ['Account', 'AccountHistory', 'AccountId'],
  ['Opportunity', 'OpportunityFieldHistory', 'OpportunityId'],
  ['Invoice__c', 'Invoice__History', 'ParentId'],
])('field_changed reads the history of %s', async (object, history, parent) => {
  const first = await poll('field_changed', { records: [row('a', 1)], input: { object, field: 'StageName' } });
  expect(first.asked).toEqual([
    `SELECT Id, ${parent}, Field, OldValue, NewValue, CreatedById, CreatedDate FROM ${history} ` +
      `WHERE Field = 'StageName' ORDER BY CreatedDate DESC, Id DESC LIMIT 200`,
  ]);
  const change = { ...row('b', 2), Field: 'StageName', OldValue: 'A', NewValue: 'B' };
  const { events, asked } = await poll('field_changed', {
    ...{ records: [change], cursor: first.cursor, input: { object, field: 'StageName' } },
  });
  expect(ids(events)).toEqual(['b']);
  expect(asked[0]).toContain(
    "WHERE CreatedDate >= 2026-01-31T09:00:01.000Z AND Field = 'StageName' ORDER BY CreatedDate, Id",
  );
});
