import { type EmptyWorkspace } from '@drawbridge/events';

const DELETE_POLICIES = `
  DELETE FROM approvals.approval_policies WHERE id IN (
    SELECT id FROM approvals.approval_policies WHERE workspace_id = $1 LIMIT $2)`;

/** A workspace is gone: so are the policies of its own. */
export const emptyWorkspace: EmptyWorkspace = async (tx, workspaceId, limit) =>
  (await tx.query(DELETE_POLICIES, [workspaceId, limit])).rowCount ?? 0;
