import { ApiError } from '@drawbridge/contracts';
import { type AdmitRequest, type CodeRun, type GatedCall } from '@drawbridge/proto/drawbridge/approvals/v1/gate';
import { caller } from '@drawbridge/rpc';
import { type Prisma } from '../gen/prisma/client.js';
import { type StoredPolicy } from '../policies/stored-policies.js';
import { connectionKey } from './code-run-groups.js';
import { toApprovalId } from '../requests/approval-request.js';

type Reader = Pick<Prisma.TransactionClient, '$queryRaw'>;
type Writer = Pick<Prisma.TransactionClient, '$executeRaw'>;

/** How long after its first call under an approved batch request a run can make further calls under it. This is a PostgreSQL interval. */
const USED_FOR = '24 hours';

/** A batch request (one approval for several calls of a run) that covers the tool of a call. Times are compared with the clock of the database. */
export interface BatchRequest {
  status: string;
  /** True if the approval has not expired, so that the first call of the run can still use it. */
  isReceiptGood: boolean;
  /** True if this run made its first call under the approval less than USED_FOR ago. */
  isUsedByRun: boolean;
  /** True if the policy has not changed since the approver saw it. */
  isPolicyUnchanged: boolean;
  /** True if the call uses the same connection and account as when the request was created. */
  isConnectionUnchanged: boolean;
}

/** The effect of a batch request on a call: it waits, runs as the first call, runs as a further call, or is not covered. */
export type Cover = 'pending' | 'approved' | 'used' | 'none';

/**
 * Returns the effect of a batch request on a call of a tool that it covers. Returns `none` if the policy changed, or if the call uses another or a
 * reconnected connection, because the approver saw neither.
 */
export function coverOf({ status, isPolicyUnchanged, isConnectionUnchanged, ...used }: BatchRequest): Cover {
  const { isReceiptGood, isUsedByRun } = used;
  if (!isPolicyUnchanged || !isConnectionUnchanged) return 'none';
  switch (status) {
    case 'pending':
      return 'pending';
    case 'approved':
      return isReceiptGood ? 'approved' : 'none';
    case 'consumed':
      return isUsedByRun ? 'used' : 'none';
    default:
      return 'none';
  }
}

/**
 * Returns true if an approval request ended without an approval. Unlike for an approval, a later change of the policy has no effect, because the
 * approver has already rejected the program.
 */
export const isRefused = (status: string): boolean => ['rejected', 'canceled', 'expired'].includes(status);

/** Returns the name by which a program calls a tool, such as `gh.create_issue`. */
export function pathOf({ calledAlias, integrationAlias, actionName }: GatedCall): string {
  return `${calledAlias ?? integrationAlias ?? ''}.${actionName}`;
}

/**
 * Returns the run's batch request for this policy if it covers the tool of the call, with its effect on the call. Returns undefined if there is none.
 */
export async function findCover(
  db: Reader,
  { workspaceId, call, codeRun }: Pick<AdmitRequest, 'workspaceId' | 'call' | 'codeRun'>,
  policy: Pick<StoredPolicy, 'id' | 'updatedAt'>,
): Promise<{ id: string; status: string; cover: Cover } | undefined> {
  if (!codeRun) return undefined;
  const { id: runId, codeHash, toolSurfaceHash } = codeRun;
  const path = pathOf(call!);
  const [batch] = await db.$queryRaw<(BatchRequest & { id: string })[]>`
    SELECT id, status, coalesce(receipt_expires_at > now(), false) AS "isReceiptGood",
      coalesce(execution_id = ${runId}::uuid AND consumed_at > now() - ${USED_FOR}::interval, false) AS "isUsedByRun",
      policy_version = ${policy.updatedAt.toISOString()}::timestamptz AS "isPolicyUnchanged",
      coalesce(batch_connections[array_position(batch_tools, ${path})], '') = ${connectionKey(call!)} AS "isConnectionUnchanged"
    FROM approvals.approval_requests
    WHERE org_id = ${caller().orgId}::uuid AND workspace_id = ${workspaceId}::uuid AND code_run_id = ${runId}::uuid
      AND policy_id = ${policy.id}::uuid AND code_hash = ${codeHash} AND tool_surface_hash = ${toolSurfaceHash}
      AND batch_tools <> '{}' AND ${path} = ANY (batch_tools)
    LIMIT 1`;
  return batch && { id: batch.id, status: batch.status, cover: coverOf(batch) };
}

/**
 * Marks a batch request as used by the run, with one conditional UPDATE, so that concurrent calls of the run all succeed. Returns false if the
 * approval has expired.
 */
export async function useBatch(db: Writer, id: string, { id: runId }: Pick<CodeRun, 'id'>): Promise<boolean> {
  const used = await db.$executeRaw`
    UPDATE approvals.approval_requests
    SET status = 'consumed', consumed_at = coalesce(consumed_at, now()), execution_id = ${runId}::uuid, updated_at = now()
    WHERE org_id = ${caller().orgId}::uuid AND id = ${id}::uuid AND code_run_id = ${runId}::uuid
      AND (status = 'approved' AND receipt_expires_at > now() OR status = 'consumed' AND execution_id = ${runId}::uuid)`;
  return used > 0;
}

/**
 * Returns the error for a call of a run with a rejected, canceled or expired approval request. The error ends the run, because a new request would
 * ask the approver about the same run again.
 */
export function refusedRun(id: string, status: string): ApiError {
  const approvalId = toApprovalId(id);
  const message = `Approval ${approvalId} of this run was ${status === 'expired' ? 'not decided in time' : status}. Run the program again to create a new request.`;
  return new ApiError('FORBIDDEN', message, { details: { approvalId, reason: status } });
}
