import { expandPath, type HttpRequest, newSince, textAt, tokenPaging, trigger } from '@drawbridge/piece-kit';
import { names, objectOf } from '../properties.js';
import { shownOf, toRecord } from '../records.js';

/**
 * The search finds a change only after some seconds. Newer changes wait for the next poll: a change that appears later with an older time than the
 * cursor would be lost.
 */
const SETTLED_MS = 30_000;
const PAGE = 100;
const LIMIT = 10_000;
const SEARCHED = tokenPaging({ items: 'results', next: 'paging.next.after', param: 'after', in: 'json' });

interface Wanted {
  object: string;
  properties?: string[];
}

/** Runs when a record of an object is created or changed: https://developers.hubspot.com/docs/api-reference/search/guide */
export const recordUpdated = trigger({
  kind: 'polling',
  displayName: 'Record updated',
  description:
    'Runs when a record of an object is created or changed, about half a minute later. The event has its properties.',
  props: {
    object: objectOf('Object'),
    properties: names(
      'Properties',
      'Internal names of the properties of the event: ["email", "phone"]. Absent: the most used.',
    ),
  },
  sample: {
    id: '151',
    properties: { email: 'ann@acme.example', firstname: 'Ann', lastmodifieddate: '2026-01-31T09:00:00.000Z' },
    createdAt: '2026-01-01T09:00:00.000Z',
    updatedAt: '2026-01-31T09:00:00.000Z',
    archived: false,
  },
  poll: newSince<Wanted>({
    order: 'oldest first',
    list: ({ http, input }, since) => http.pages(toSearch(input, since), LIMIT, SEARCHED),
    time: (record) => textAt(record, 'updatedAt'),
    id: (record) => `${textAt(record, 'id')} ${textAt(record, 'updatedAt')}`,
    data: toRecord,
  }),
});

function toSearch({ object, properties = shownOf(object) }: Wanted, since: Date | undefined): HttpRequest {
  // Contacts have a different name for this property.
  const propertyName = object === 'contacts' ? 'lastmodifieddate' : 'hs_lastmodifieddate';
  const settled = { propertyName, operator: 'LTE', value: String(Date.now() - SETTLED_MS) };
  const newer = since && { propertyName, operator: 'GTE', value: String(since.getTime()) };
  const json = {
    filterGroups: [{ filters: newer ? [settled, newer] : [settled] }],
    sorts: [since ? propertyName : `-${propertyName}`],
    ...{ properties, limit: PAGE, after: '0' },
  };
  return { method: 'POST', path: expandPath('/crm/v3/objects/{object}/search', { object }), json };
}
