import { type Effects } from '@drawbridge/events';
import { type PoolClient } from 'pg';
import { type Recorded, recordEntries } from './audit/append-entries.js';
import { countActions, type Executed } from './usage.js';

/** The handlers of members for the events of all services. */
export const consumers: Effects = { auditRecorded: take, actionExecuted: take };

/**
 * One handler for both kinds, which locks the counts of a batch and then its chains, each in order. With a handler for each kind, two batches could
 * deadlock.
 */
async function take(events: Recorded[], tx: PoolClient): Promise<void> {
  await countActions(events.filter(isExecuted), tx);
  await recordEntries(events, tx);
}

function isExecuted(event: Recorded): event is Executed {
  return event.payload.$case === 'actionExecuted';
}
