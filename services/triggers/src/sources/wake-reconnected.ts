import { type EventOf } from '@drawbridge/events';
import { type PoolClient } from 'pg';

/** A source that failed may have failed for its credential. A source that did not fail is polled when it is due. */
const WAKE = {
  name: 'wake-sources-of-connection',
  text: `UPDATE triggers.sources SET failures = 0, updated_at = now(),
      poll_at = CASE WHEN poll_at IS NOT NULL THEN now() END, renew_at = CASE WHEN renew_at IS NOT NULL THEN now() END
    WHERE org_id = $1 AND connection_id = $2 AND status = 'enabled' AND failures > 0 AND NOT held`,
};

/** Polls and renews at once the sources that failed with the previous credential of a connection. */
export async function wakeOfConnections(events: EventOf<'connectionReconnected'>[], tx: PoolClient): Promise<void> {
  for (const { orgId, payload } of events) await tx.query({ ...WAKE, values: [orgId, payload.value.connectionId] });
}
