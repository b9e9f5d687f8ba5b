import { type JsonValue, listAt, newSince, textAt, type TriggerContext } from '@drawbridge/piece-kit';
import { toRecord } from '../records.js';
import { DATA } from '../version.js';

/** SOQL returns all fields of at most 200 records, after at most 2,000 others. */
const [PAGE, MAX_OFFSET] = [200, 2_000];

interface Polled<Input> {
  /** The object, its fields, and the condition on other fields than the time. */
  from(input: Input): { object: string; fields?: string; where?: string };
  /** The field with the time. */
  time: string;
  /** Each change of a record is an event. */
  isChange?: true;
}

/** Returns the poll of a trigger for records with a newer time. Times have a resolution of one second. */
export function pollRecords<Input>({ from, time, isChange }: Polled<Input>) {
  return newSince<Input>({
    order: 'oldest first',
    list: async function* ({ http, input }: TriggerContext<Input>, since) {
      const { object, fields = 'FIELDS(ALL)', where } = from(input);
      const conditions = [since && `${time} >= ${since.toISOString()}`, where].filter(Boolean).join(' AND ');
      const order = since ? `${time}, Id` : `${time} DESC, Id DESC`;
      const select = `SELECT ${fields} FROM ${object}${conditions && ` WHERE ${conditions}`} ORDER BY ${order} LIMIT ${PAGE}`;
      for (let offset = 0; offset <= MAX_OFFSET; offset += PAGE) {
        const query = { q: offset === 0 ? select : `${select} OFFSET ${offset}` };
        const records = listAt(await http.json({ method: 'GET', path: `${DATA}/query`, query }), 'records');
        yield* records;
        if (records.length < PAGE) return;
      }
    },
    time: (record) => textAt(record, time),
    id: (record) => idOf(record, isChange ? time : undefined),
    data: toRecord,
  });
}

function idOf(record: JsonValue, time: string | undefined): string | undefined {
  const id = textAt(record, 'Id');
  return id && time ? `${id} ${textAt(record, time) ?? ''}` : id;
}
