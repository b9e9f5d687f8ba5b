import { trigger } from '@drawbridge/piece-kit';
import { object } from '../properties.js';
import { pollRecords } from './poll-records.js';

/**
 * Runs when a record of an object is created or changed:
 * https://developer.salesforce.com/docs/atlas.en-us.object_reference.meta/object_reference/system_fields.htm
 */
export const recordUpdated = trigger({
  kind: 'polling',
  displayName: 'Record updated',
  description: 'Runs when a record of an object is created or changed. The event has all its fields.',
  props: { object },
  sample: { Id: '001xx000003DGb0AAG', Name: 'Acme', SystemModstamp: '2026-01-31T09:00:00.000+0000' },
  poll: pollRecords<{ object: string }>({
    from: ({ object: name }) => ({ object: name }),
    time: 'SystemModstamp',
    isChange: true,
  }),
});
