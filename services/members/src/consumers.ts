import { type Effects } from '@drawbridge/events';
import { recordEntries, recordUses } from './audit/recorded-events.js';
import { countActions } from './usage.js';

/** What members makes of the events of all services. */
export const consumers: Effects = {
  auditRecorded: recordEntries,
  async actionExecuted(events, tx) {
    await countActions(events, tx);
    await recordUses(events, tx);
  },
};
