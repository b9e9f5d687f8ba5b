import { type EmptyWorkspace } from '@drawbridge/events';
import { emptyState } from './state/purge-state.js';

const DELETE_RUNS = `
  DELETE FROM execution.executions WHERE id IN (
    SELECT id FROM execution.executions WHERE workspace_id = $1 LIMIT $2)`;
const DELETE_KEYS = `
  WITH old AS MATERIALIZED (SELECT org_id, key FROM execution.claims WHERE workspace_id = $1 LIMIT $2)
  DELETE FROM execution.claims USING old WHERE claims.org_id = old.org_id AND claims.key = old.key`;

/** Forgets the runs and the idempotency keys of a deleted workspace, and what was kept in it. */
export const emptyWorkspace: EmptyWorkspace = async (tx, workspaceId, limit) => {
  const runs = await tx.query(DELETE_RUNS, [workspaceId, limit]);
  const keys = await tx.query(DELETE_KEYS, [workspaceId, limit]);
  return (runs.rowCount ?? 0) + (keys.rowCount ?? 0) + (await emptyState(tx, workspaceId, limit));
};
