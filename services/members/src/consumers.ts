import { type Effects } from '@drawbridge/events';
import { type PoolClient } from 'pg';
import { type Recorded, recordEntries } from './audit/append-entries.js';
import { type Counted, countUsage } from './usage.js';

/** The handlers of the members service for the events of all services. */
export const consumers: Effects = { auditRecorded: take, actionExecuted: take, codeRunStarted: take };

/**
 * Handles all kinds of events in one function, so that every batch first locks the usage counts and then the audit chains, each in a fixed order.
 * With one handler for each kind, two batches could lock them in different orders and deadlock.
 */
async function take(events: (Recorded | Counted)[], tx: PoolClient): Promise<void> {
  await countUsage(events.filter(isCounted), tx);
  await recordEntries(events.filter(isRecorded), tx);
}

function isCounted(event: Recorded | Counted): event is Counted {
  return event.payload.$case !== 'auditRecorded';
}

function isRecorded(event: Recorded | Counted): event is Recorded {
  return event.payload.$case !== 'codeRunStarted';
}
