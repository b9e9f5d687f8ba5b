import { collect, type Http, type InputOf, type JsonValue, newSince, textAt, trigger } from '@drawbridge/piece-kit';
import { allOf, isBefore, isSince } from '../formula.js';
import { formula, place, view } from '../properties.js';
import { listing } from '../records.js';

/** Maximum number of records that one poll sorts. */
const LIMIT = 2_000;
const CREATED = 'CREATED_TIME()';

const props = { ...place, view, filterByFormula: formula };
type Input = InputOf<typeof props>;

/** Polls, because a webhook of Airtable only notifies that there are changes: https://airtable.com/developers/web/api/webhooks-overview */
export const recordCreated = trigger({
  kind: 'polling',
  displayName: 'Record created',
  description: 'Runs when a record is added to a table, by a person, a form or another app.',
  props,
  sample: {
    id: 'rec560UJdUtocSouk',
    createdTime: '2026-01-31T09:00:00.000Z',
    fields: { Name: 'Tea', Tags: ['hot'] },
  },
  poll: async (context) =>
    context.cursor === undefined
      ? { events: [], cursor: { time: await timeAt(context.http, context.input), ids: [] } }
      : pollSince(context),
});

const pollSince = newSince<Input>({
  order: 'oldest first',
  list: async function* ({ http, input }, since = new Date(0)) {
    yield* await createdSince(http, input, { since });
  },
  time: createdAt,
  id: (record) => textAt(record, 'id'),
});

/** Returns Airtable's current time. Throws if the table, the view or the formula does not exist. */
async function timeAt(http: Http, { baseId, table, ...query }: Input): Promise<string> {
  const { headers } = await http.request(listing({ baseId, table }, { ...query, pageSize: 1, maxRecords: 1 }));
  return new Date(Date.parse(headers['date'] ?? '') || Date.now()).toISOString();
}

/**
 * Returns records that were created since a time, oldest first. Airtable cannot sort by time of creation, so a longer list is read again up to the
 * middle of its new records. The next poll finds the remaining records.
 */
async function createdSince(http: Http, input: Input, { since, until }: Period): Promise<JsonValue[]> {
  const { view: of, filterByFormula: given, ...from } = input;
  const filterByFormula = allOf(isSince(CREATED, since), until && isBefore(CREATED, until), given);
  const request = listing(from, { view: of, filterByFormula, pageSize: 100 });
  const records = await collect(http.pages(request, LIMIT));
  records.sort((one, other) => timeOf(one) - timeOf(other));

  const fresh = records.map(timeOf).filter((time) => time > since.getTime());
  const [oldest = 0, middle = 0] = [fresh[0], fresh[fresh.length >> 1]];
  if (records.length < LIMIT || oldest === middle) return records;
  return createdSince(http, input, { since, until: new Date(middle) });
}

interface Period {
  since: Date;
  /** The end of the period, exclusive. */
  until?: Date;
}

function createdAt(record: JsonValue): string | undefined {
  return textAt(record, 'createdTime');
}

const timeOf = (record: JsonValue): number => Date.parse(createdAt(record) ?? '');
