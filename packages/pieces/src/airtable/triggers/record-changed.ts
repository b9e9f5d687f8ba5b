import { dropdown, type JsonValue, member, newSince, textAt, trigger } from '@drawbridge/piece-kit';
import { allOf, fieldRef, isSince } from '../formula.js';
import { fieldNames } from '../options.js';
import { formula, place, view } from '../properties.js';
import { listing } from '../records.js';

/** Maximum number of records of one poll. The next poll continues after them. */
const LIMIT = 10_000;

/** Polls by a field, because records have no time of their last change: https://support.airtable.com/docs/last-modified-time-field */
export const recordChanged = trigger({
  kind: 'polling',
  displayName: 'Record changed',
  description: 'Runs when a record is changed. The table needs a field of the type "Last modified time".',
  props: {
    ...place,
    field: dropdown('Last modified field', {
      required: true,
      description: 'The name of a field of the type "Last modified time" that includes the time.',
      minLength: 1,
      refreshers: ['baseId', 'table'],
      options: fieldNames(
        ({ type, options }) => type === 'lastModifiedTime' && textAt(options, 'result', 'type') === 'dateTime',
      ),
    }),
    view,
    filterByFormula: formula,
  },
  sample: {
    id: 'rec560UJdUtocSouk',
    createdTime: '2026-01-31T09:00:00.000Z',
    changedTime: '2026-02-01T10:30:00.000Z',
    fields: { Name: 'Tea', Tags: ['hot'], Changed: '2026-02-01T10:30:00.000Z' },
  },
  poll: newSince({
    order: 'oldest first',
    list: async function* ({ http, input: { baseId, table, field, view: of, filterByFormula: given } }, since) {
      const filterByFormula = allOf(since && isSince(fieldRef(field), since), given);
      const sort = [{ field, direction: since ? 'asc' : 'desc' }];
      const request = listing({ baseId, table }, { view: of, filterByFormula, sort, pageSize: 100 });
      for await (const record of http.pages(request, LIMIT)) yield withChangedTime(record, field);
    },
    time: (record) => textAt(record, 'changedTime'),
    id: (record) => `${textAt(record, 'id')}:${textAt(record, 'changedTime')}`,
  }),
});

function withChangedTime(record: JsonValue, field: string): JsonValue {
  return { ...(record as object), changedTime: member(record, 'fields', field) ?? null };
}
