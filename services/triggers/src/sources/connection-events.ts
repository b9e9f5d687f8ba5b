import { type EventOf } from '@drawbridge/events';
import { type PoolClient } from 'pg';
import { announceDisabled, type Disabled, RETURNING_DISABLED, SET_DISABLED } from './disable-source.js';

/** Disables sources. Their deliveries stop when the transaction commits. They are unregistered at the provider soon after. */
const DISABLE = `UPDATE triggers.sources SET ${SET_DISABLED} WHERE org_id = $1 AND status <> 'disabling'`;
const OF_CONNECTION = {
  name: 'disable-sources-of-connection',
  text: `${DISABLE} AND connection_id = $2 ${RETURNING_DISABLED}`,
};
const OF_END_USER = {
  name: 'disable-sources-of-end-user',
  text: `${DISABLE} AND workspace_id = $2 AND end_user_id = $3 AND created_at <= $4 ${RETURNING_DISABLED}`,
};

/** Disables the sources of deleted connections, which can no longer call the provider. */
export async function disableOfConnections(events: EventOf<'connectionDeleted'>[], tx: PoolClient): Promise<void> {
  const said = { reason: 'connection', why: 'its connection is gone' };
  for (const { orgId, payload } of events) {
    const { rows } = await tx.query<Disabled>({ ...OF_CONNECTION, values: [orgId, payload.value.connectionId] });
    await announceDisabled(tx, { orgId, ...said }, rows);
  }
}

/**
 * Disables the sources of deleted end users, but not sources that were created after the deletion: these belong to a new end user with the same
 * externalId.
 */
export async function disableOfEndUsers(events: EventOf<'endUserDeleted'>[], tx: PoolClient): Promise<void> {
  const said = { reason: 'end_user', why: 'its end user is gone' };
  for (const { orgId, occurredAt, payload } of events) {
    const { workspaceId, externalId } = payload.value;
    const values = [orgId, workspaceId, externalId, occurredAt];
    const { rows } = await tx.query<Disabled>({ ...OF_END_USER, values });
    await announceDisabled(tx, { orgId, ...said }, rows);
  }
}

/**
 * Makes sources with failures due and resets the failures, because they may have failed due to the old credential. Sources without failures are due
 * as scheduled.
 */
const WAKE = {
  name: 'wake-sources-of-connection',
  text: `UPDATE triggers.sources SET failures = 0, renewal_failures = 0, updated_at = now(),
      poll_at = CASE WHEN poll_at IS NOT NULL THEN now() END, renew_at = CASE WHEN renew_at IS NOT NULL THEN now() END
    WHERE org_id = $1 AND connection_id = $2 AND status = 'enabled' AND (failures > 0 OR renewal_failures > 0) AND NOT held`,
};

/** Makes the sources that failed with the previous credential of a connection due immediately. */
export async function wakeOfConnections(events: EventOf<'connectionReconnected'>[], tx: PoolClient): Promise<void> {
  for (const { orgId, payload } of events) await tx.query({ ...WAKE, values: [orgId, payload.value.connectionId] });
}
