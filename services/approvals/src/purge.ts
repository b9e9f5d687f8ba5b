import { type EmptyWorkspace } from '@drawbridge/events';

const DELETE_POLICIES = `
  DELETE FROM approvals.approval_policies WHERE id IN (
    SELECT id FROM approvals.approval_policies WHERE workspace_id = $1 LIMIT $2)`;

const DELETE_REQUESTS = `
  DELETE FROM approvals.approval_requests WHERE id IN (
    SELECT id FROM approvals.approval_requests WHERE workspace_id = $1 LIMIT $2)`;

const DELETE_DELIVERIES = `
  DELETE FROM approvals.webhook_deliveries WHERE id IN (
    SELECT id FROM approvals.webhook_deliveries WHERE workspace_id = $1 LIMIT $2)`;

/** A workspace is gone: so are the policies of its own, what was asked for in it, and who was told. */
export const emptyWorkspace: EmptyWorkspace = async (tx, workspaceId, limit) => {
  const policies = await tx.query(DELETE_POLICIES, [workspaceId, limit]);
  const requests = await tx.query(DELETE_REQUESTS, [workspaceId, limit]);
  const deliveries = await tx.query(DELETE_DELIVERIES, [workspaceId, limit]);
  return [policies, requests, deliveries].reduce((rows, { rowCount }) => rows + (rowCount ?? 0), 0);
};
