import { ApiError } from '@drawbridge/contracts';
import { type UseApprovalRequest } from '@drawbridge/proto/drawbridge/approvals/v1/gate';
import { caller } from '@drawbridge/rpc';
import { fromApprovalId } from '../requests/request-ids.js';
import { type GateParts } from './gate-parts.js';

/**
 * One conditional UPDATE: of however many executions one runs. Asked again by the same one it says yes again: who did not hear the answer
 * asks anew. Where it never heard it, and let its key go, the next one takes its place: soon, while what ran is told from what did not.
 * Throws NOT_FOUND, and FORBIDDEN for what another used, or was not approved.
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
