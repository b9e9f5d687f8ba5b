import { newSince, textAt, trigger } from '@drawbridge/piece-kit';
import { objectType } from '../properties.js';
import { objectPath, searchPages, toRecord } from '../records.js';

/** The most records that one poll reads. */
const MAX_RECORDS = 1_000;
/** A change is found by searches some seconds later, and not in the order of the changes: newer ones are left to the next poll. */
const SETTLE_MS = 60_000;

/** https://developers.hubspot.com/docs/guides/api/crm/search */
export const recordUpdated = trigger({
  kind: 'polling',
  displayName: 'Record updated',
  description: 'Runs when a contact, company, deal or ticket is created or changed, about a minute later.',
  props: { object_type: objectType },
  sample: {
    id: '33451',
    createdAt: '2026-01-30T09:00:00.000Z',
    updatedAt: '2026-01-31T09:00:00.000Z',
    archived: false,
    properties: { email: 'ada@example.com', firstname: 'Ada', lastname: 'Lovelace' },
  },
  poll: newSince<{ object_type: string }>({
    list: ({ http, input: { object_type } }, since) => {
      // Only contacts have another name for the time of the last change.
      const propertyName = object_type === 'contacts' ? 'lastmodifieddate' : 'hs_lastmodifieddate';
      const filters = [
        { propertyName, operator: 'LT', value: String(Date.now() - SETTLE_MS) },
        ...(since ? [{ propertyName, operator: 'GTE', value: String(since.getTime()) }] : []),
      ];
      const json = {
        filterGroups: [{ filters }],
        sorts: [{ propertyName, direction: since ? 'ASCENDING' : 'DESCENDING' }],
        ...{ properties: [], limit: 100, after: '0' },
      };
      return http.pages({ method: 'POST', path: objectPath(object_type, '/search'), json }, MAX_RECORDS, searchPages);
    },
    order: 'oldest first',
    time: (record) => textAt(record, 'updatedAt'),
    id: (record) => `${textAt(record, 'id') ?? ''} ${textAt(record, 'updatedAt') ?? ''}`,
    data: toRecord,
  }),
});
