import { deleteOfWorkspace, type EmptyWorkspace, type EventOf, purgeBySteps } from '@drawbridge/events';
import { type PoolClient } from 'pg';

/** Deletes the configuration of a removed workspace. */
export const emptyWorkspace: EmptyWorkspace = purgeBySteps(
  deleteOfWorkspace('catalog.input_partials'),
  deleteOfWorkspace('catalog.workspace_integrations'),
  deleteOfWorkspace('catalog.bearer_shares'),
);

const FORGET = `
  UPDATE catalog.workspace_integrations SET connection_id = NULL, updated_at = now()
  WHERE org_id = $1 AND connection_id = $2`;

/** Configured integrations that used a deleted connection have none until they are given another. */
export async function forgetConnections(events: EventOf<'connectionDeleted'>[], tx: PoolClient): Promise<void> {
  for (const { orgId, payload } of events) await tx.query(FORGET, [orgId, payload.value.connectionId]);
}
