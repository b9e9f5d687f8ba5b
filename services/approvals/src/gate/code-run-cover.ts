import { ApiError } from '@drawbridge/contracts';
import { type AdmitRequest, type CodeRun, type GatedCall } from '@drawbridge/proto/drawbridge/approvals/v1/gate';
import { caller } from '@drawbridge/rpc';
import { type Prisma } from '../gen/prisma/client.js';
import { type StoredPolicy } from '../policies/stored-policies.js';
import { connectionKey } from './code-run-groups.js';
import { toApprovalId } from '../requests/approval-request.js';

type Reader = Pick<Prisma.TransactionClient, '$queryRaw'>;
type Writer = Pick<Prisma.TransactionClient, '$executeRaw'>;

/** A run can make calls under a batch request for so long after the first one. */
const USED_FOR = '24 hours';

/** A batch request that names the tool of a call. Times are compared by the database's clock. */
export interface BatchRequest {
  status: string;
  /** Whether the first call may still use it. */
  isReceiptGood: boolean;
  /** Whether this run used it, and not too long ago. */
  isUsedByRun: boolean;
  /** Whether the policy is the one that the approver saw. */
  isPolicyUnchanged: boolean;
  /** Whether the call uses the connection and the account of the time of the request. */
  isConnectionUnchanged: boolean;
}

/** The effect of a batch request on a call: keep waiting, run for the first time or again, or none. */
export type Cover = 'pending' | 'approved' | 'used' | 'none';

/**
 * Returns the effect of a batch request on a call that it names. A changed policy ends it, as it ends the reuse of an approval. A call with another
 * connection, or has a reconnected one, is not the call that the approver saw.
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

/** Returns whether a request has ended without an approval. A later change of its policy does not undo that: the program was refused. */
export const isRefused = (status: string): boolean => ['rejected', 'canceled', 'expired'].includes(status);

/** Returns the path under which a program calls a tool. */
export function pathOf({ calledAlias, integrationAlias, actionName }: GatedCall): string {
  return `${calledAlias ?? integrationAlias ?? ''}.${actionName}`;
}

export interface FoundCover {
  id: string;
  status: string;
  cover: Cover;
}

/** Returns the batch request of the run that the policy opened and that names the tool of the call, with its effect; undefined without one. */
export async function findCover(
  db: Reader,
  { workspaceId, call, codeRun }: Pick<AdmitRequest, 'workspaceId' | 'call' | 'codeRun'>,
  policy: Pick<StoredPolicy, 'id' | 'updatedAt'>,
): Promise<FoundCover | undefined> {
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
 * Marks a batch request as used by the run, with one conditional UPDATE. Concurrent calls of the run all succeed. Returns false if its receipt
 * has expired.
 */
export async function useBatch(db: Writer, id: string, { id: runId }: Pick<CodeRun, 'id'>): Promise<boolean> {
  const used = await db.$executeRaw`
    UPDATE approvals.approval_requests
    SET status = 'consumed', consumed_at = coalesce(consumed_at, now()), execution_id = ${runId}::uuid, updated_at = now()
    WHERE org_id = ${caller().orgId}::uuid AND id = ${id}::uuid AND code_run_id = ${runId}::uuid
      AND (status = 'approved' AND receipt_expires_at > now() OR status = 'consumed' AND execution_id = ${runId}::uuid)`;
  return used > 0;
}

/** Returns the refusal of a call of a refused run. The run ends: it must not ask the approver again. */
export function refusedRun(id: string, status: string): ApiError {
  const approvalId = toApprovalId(id);
  const message = `Approval ${approvalId} of this run was ${status === 'expired' ? 'not decided in time' : status}. Run the program again to open a new one.`;
  return new ApiError('FORBIDDEN', message, { details: { approvalId, reason: status } });
}
