import { trigger } from '@drawbridge/piece-kit';
import { object } from '../properties.js';
import { pollRecords } from './poll-records.js';

/**
 * Runs when a record of an object is created:
 * https://developer.salesforce.com/docs/atlas.en-us.soql_sosl.meta/soql_sosl/sforce_api_calls_soql_select_fields.htm
 */
export const recordCreated = trigger({
  kind: 'polling',
  displayName: 'Record created',
  description: 'Runs when a record of an object is created. The event has all its fields.',
  props: { object },
  sample: { Id: '001xx000003DGb0AAG', Name: 'Acme', CreatedDate: '2026-01-31T09:00:00.000+0000' },
  poll: pollRecords<{ object: string }>({ from: ({ object: name }) => ({ object: name }), time: 'CreatedDate' }),
});
