import { deleteOfWorkspace, type EmptyWorkspace, purgeBySteps } from '@drawbridge/events';
import { emptyState } from './state/purge-state.js';

const DELETE_KEYS = `
  WITH old AS MATERIALIZED (SELECT org_id, key FROM execution.claims WHERE workspace_id = $1 LIMIT $2)
  DELETE FROM execution.claims USING old WHERE claims.org_id = old.org_id AND claims.key = old.key`;

/** Deletes the runs, the idempotency keys and the stored state of a removed workspace. */
export const emptyWorkspace: EmptyWorkspace = purgeBySteps(
  deleteOfWorkspace('execution.executions'),
  DELETE_KEYS,
  emptyState,
);
