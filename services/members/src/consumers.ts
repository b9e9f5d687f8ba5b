import { type Effects } from '@drawbridge/events';
import { type PoolClient } from 'pg';
import { type Recorded, recordEntries } from './audit/recorded-events.js';
import { countActions, type Executed } from './usage.js';

/** What members makes of the events of all services. */
export const consumers: Effects = { auditRecorded: take, actionExecuted: take };

/**
 * Both at once: a batch holds the counts of its organizations, and then their chains, each in order. By each kind for itself two batches
 * could wait for each other in a circle.
 */
async function take(events: Recorded[], tx: PoolClient): Promise<void> {
  await countActions(events.filter(isExecuted), tx);
  await recordEntries(events, tx);
}

function isExecuted(event: Recorded): event is Executed {
  return event.payload.$case === 'actionExecuted';
}
