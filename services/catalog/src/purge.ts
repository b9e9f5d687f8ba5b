import { type EmptyWorkspace, type EventOf } from '@drawbridge/events';
import { type PoolClient } from 'pg';

const DELETE_PARTIALS = `
  DELETE FROM catalog.input_partials WHERE id IN (
    SELECT id FROM catalog.input_partials WHERE workspace_id = $1 LIMIT $2)`;
const DELETE_INTEGRATIONS = `
  DELETE FROM catalog.workspace_integrations WHERE id IN (
    SELECT id FROM catalog.workspace_integrations WHERE workspace_id = $1 LIMIT $2)`;
const DELETE_SHARES = `
  DELETE FROM catalog.bearer_shares WHERE id IN (
    SELECT id FROM catalog.bearer_shares WHERE workspace_id = $1 LIMIT $2)`;
const FORGET = `
  UPDATE catalog.workspace_integrations SET connection_id = NULL, updated_at = now()
  WHERE org_id = $1 AND connection_id = $2`;

/** A workspace is gone: so is what it configured. */
export const emptyWorkspace: EmptyWorkspace = async (tx, workspaceId, limit) => {
  const partials = await tx.query(DELETE_PARTIALS, [workspaceId, limit]);
  if (partials.rowCount) return partials.rowCount;
  const integrations = await tx.query(DELETE_INTEGRATIONS, [workspaceId, limit]);
  if (integrations.rowCount) return integrations.rowCount;
  return (await tx.query(DELETE_SHARES, [workspaceId, limit])).rowCount ?? 0;
};

/** A connection is gone: what used it has none until it is given another. */
export async function forgetConnections(events: EventOf<'connectionDeleted'>[], tx: PoolClient): Promise<void> {
  for (const { orgId, payload } of events) await tx.query(FORGET, [orgId, payload.value.connectionId]);
}
