import { type JsonValue, listAt, newSince, ProviderError, textAt, type TriggerContext } from '@drawbridge/piece-kit';
import { toRecord } from '../records.js';
import { DATA } from '../version.js';

/** SOQL returns all fields of at most 200 records. */
const PAGE = 200;
/** Maximum number of requests of one poll. */
const MAX_PAGES = 100;

interface Polled<Input> {
  /** The object, its fields, and the condition on fields other than the time. */
  from(input: Input): { object: string; fields?: string; where?: string };
  /** The field with the time. */
  time: string;
  /** Set if each change of a record is an event. */
  isChange?: true;
}

/** Returns the poll of a trigger for records with a newer time. Times have a resolution of one second. */
export function pollRecords<Input>({ from, time, isChange }: Polled<Input>) {
  return newSince<Input>({
    order: 'oldest first',
    list: async function* ({ http, input }: TriggerContext<Input>, since) {
      const { object, fields = 'FIELDS(ALL)', where } = from(input);
      const order = since ? `${time}, Id` : `${time} DESC, Id DESC`;
      let place = since && `${time} >= ${since.toISOString()}`;
      for (let page = 0; page < MAX_PAGES; page++) {
        const conditions = [place, where].filter(Boolean).join(' AND ');
        const q = `SELECT ${fields} FROM ${object}${conditions && ` WHERE ${conditions}`} ORDER BY ${order} LIMIT ${PAGE}`;
        const records = listAt(await http.json({ method: 'GET', path: `${DATA}/query`, query: { q } }), 'records');
        yield* records;
        if (records.length < PAGE) return;
        place = following(records.at(-1), time, since ? '>' : '<');
      }
      throw new ProviderError(`More than ${MAX_PAGES * PAGE} records have the same time`, { code: 'TOO_MANY_PAGES' });
    },
    time: (record) => textAt(record, time),
    id: (record) => idOf(record, isChange ? time : undefined),
    data: toRecord,
  });
}

/**
 * Returns the condition for the records after the last record of a page. An offset is limited to 2,000, and would skip a record when a record before
 * it is changed and moves to the end.
 */
function following(record: JsonValue | undefined, time: string, than: '>' | '<'): string {
  const [id, at] = [textAt(record, 'Id'), new Date(textAt(record, time) ?? NaN)];
  if (!id || !/^[A-Za-z0-9]+$/.test(id) || Number.isNaN(at.getTime()))
    throw new ProviderError(`Salesforce returned a record without a valid Id or ${time}`);
  const last = at.toISOString();
  return `(${time} ${than} ${last} OR (${time} = ${last} AND Id ${than} '${id}'))`;
}

function idOf(record: JsonValue, time: string | undefined): string | undefined {
  const id = textAt(record, 'Id');
  return id && time ? `${id} ${textAt(record, time) ?? ''}` : id;
}
