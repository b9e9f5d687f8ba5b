import { ApiError } from '@drawbridge/contracts';
import { type UseApprovalRequest } from '@drawbridge/proto/drawbridge/approvals/v1/gate';
import { caller } from '@drawbridge/rpc';
import { fromApprovalId } from '../requests/request-ids.js';
import { type GateParts } from './gate-parts.js';

/**
 * Uses an approval with one conditional UPDATE, so that one execution wins. Idempotent: the same execution can retry after a lost answer.
 * `insteadOf` takes over, within an hour, from an execution that released its key and never ran.
 * Throws NOT_FOUND for an invalid id, and FORBIDDEN if the approval is used by another execution, expired or not approved.
 */
export async function useApproval(
  { db }: Pick<GateParts, 'db'>,
  { workspaceId, approvalId, executionId, insteadOf = executionId }: UseApprovalRequest,
): Promise<void> {
  const [id, { orgId }] = [fromApprovalId(approvalId), caller()];
  const used = await db.$executeRaw`
    UPDATE approvals.approval_requests
    SET status = 'consumed', consumed_at = now(), execution_id = ${executionId}::uuid, updated_at = now()
    WHERE org_id = ${orgId}::uuid AND id = ${id}::uuid AND workspace_id = ${workspaceId}::uuid
      AND (status = 'approved' AND receipt_expires_at > now()
        OR status = 'consumed' AND execution_id = ${insteadOf}::uuid AND consumed_at > now() - interval '1 hour')`;
  if (used > 0) return;
  const row = await db.approvalRequest.findFirst({ where: { id, orgId }, select: { executionId: true } });
  throw new ApiError('FORBIDDEN', `Nothing can run under ${approvalId} any more`, {
    details: { approvalId, reason: 'used', executionId: row?.executionId ?? null },
  });
}
