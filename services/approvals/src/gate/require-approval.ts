import { randomUUID } from 'node:crypto';
import { ApiError, invalid } from '@drawbridge/contracts';
import { lockQuota } from '@drawbridge/database';
import { type Outbox, type WorkspaceGuard } from '@drawbridge/events';
import {
  type Admission,
  type AdmitRequest,
  type UseApprovalRequest,
} from '@drawbridge/proto/drawbridge/approvals/v1/gate';
import { caller } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { type ApprovalRequest as Row, type PrismaClient as Db } from '../gen/prisma/client.js';
import { type StoredPolicy } from '../policies/stored-policies.js';
import { type LinkKeeper } from '../requests/approval-links.js';
import { changed, findRequest, fromApprovalId, toApproval, toApprovalId } from '../requests/approval-request.js';
import { expireDue } from '../requests/expiry.js';
import { type Matched } from './call-policies.js';
import { findCover, isRefused, refusedRun, useBatch } from './code-run-cover.js';
import { findByKey, findReusable, findStanding, type FoundByKey, inputHash, isOfCall } from './earlier-requests.js';
import { insertRequest, requireWithinLimit } from './insert-request.js';

export interface ApprovalParts {
  db: Db;
  pool: Pool;
  guard: WorkspaceGuard;
  outbox: Outbox;
  links: LinkKeeper;
}

export const WANTS_PREVIEW: Admission = { admission: { $case: 'wantsPreview', value: {} } };

/**
 * Decides a call that needs an approval. The call runs if it is the exact retry of an approved call, is covered by the batch approval of its run, or
 * is within the reuse window of an earlier approval. Otherwise it waits. Throws FORBIDDEN if its approval request timed out or its run was rejected,
 * VALIDATION_ERROR if its idempotency key belongs to a different call, and the errors of `openRequest`.
 */
export async function underApproval(parts: ApprovalParts, request: AdmitRequest, verdict: Matched): Promise<Admission> {
  const { db, pool, links } = parts;
  const { orgId } = caller();
  const { workspaceId, call, idempotencyKey, requestHash } = request;
  const { policy } = verdict;
  const asked = { orgId, policyId: policy.id, requestHash, inputHash: inputHash({ orgId, workspaceId }, call!) };
  await expireDue(pool, orgId);
  const byKey = await findByKey(db, orgId, idempotencyKey);
  const { standing, earlier } = findStanding(byKey, asked);
  switch (standing) {
    case 'approved':
      return runsUnder(earlier.id, true);
    case 'pending':
      return waits(toApproval(links, await findRequest(db, earlier.id)));
    case 'refused':
      throw expired(toApprovalId(earlier.id));
    case 'taken':
      throw invalid({ idempotencyKey: 'belongs to a call with another approval request. Send a new key' });
    case 'none':
      break;
    default:
      return standing satisfies never;
  }
  const ofRun = await underRun(parts, request, { policy, byKey: byKey.filter((row) => isOfCall(row, asked)) });
  if (ofRun) return ofRun;
  const reusable = await findReusable(db, asked, policy);
  if (reusable) return runsUnder(reusable.id, false);
  if (!request.preview) return WANTS_PREVIEW;
  const opened = await openRequest(parts, request, { ...verdict, inputHash: asked.inputHash });
  // `opened` is undefined if a concurrent call created a request with the same idempotency key. That request then decides this call.
  return opened ? waits(toApproval(links, opened)) : underApproval(parts, request, verdict);
}

/**
 * Decides a call of a run by the batch request of its policy. `byKey` are the earlier approval requests for exactly this call. Returns undefined if
 * no batch request covers the call. Throws FORBIDDEN if an approver rejected the run.
 */
async function underRun(
  { db, links }: ApprovalParts,
  request: AdmitRequest,
  { policy, byKey }: { policy: StoredPolicy; byKey: readonly FoundByKey[] },
): Promise<Admission | undefined> {
  const { codeRun } = request;
  if (!codeRun) return undefined;
  const found = await findCover(db, request, policy);
  const ended = [...(found ? [found] : []), ...byKey].find(({ status }) => isRefused(status));
  if (ended) throw refusedRun(ended.id, ended.status);
  if (!found) return undefined;
  switch (found.cover) {
    case 'pending':
      return waits(toApproval(links, await findRequest(db, found.id)));
    case 'used':
      return runsUnder(found.id, false);
    case 'approved':
      return (await useBatch(db, found.id, codeRun)) ? runsUnder(found.id, false) : undefined;
    case 'none':
      return undefined;
    default:
      return found.cover satisfies never;
  }
}

function runsUnder(id: string, mustUse: boolean): Admission {
  return { admission: { $case: 'approved', value: { approvalId: toApprovalId(id), mustUse } } };
}

function waits(value: ReturnType<typeof toApproval>): Admission {
  return { admission: { $case: 'pending', value } };
}

function expired(approvalId: string): ApiError {
  const details = { approvalId, reason: 'expired' };
  return new ApiError('FORBIDDEN', `Approval ${approvalId} was not decided in time`, { details });
}

/**
 * Creates an approval request, under a lock of the organization. Returns undefined if a concurrent call created a request with the same idempotency
 * key. Throws NOT_FOUND (workspace) and QUOTA_EXCEEDED.
 */
async function openRequest(
  { db, guard, outbox }: ApprovalParts,
  request: AdmitRequest,
  { policy, reasons, inputHash }: Matched & { inputHash: string },
): Promise<Row | undefined> {
  const { orgId } = caller();
  const { workspaceId, idempotencyKey = randomUUID(), call, preview, requestHash, codeRun } = request;
  const opened = await db.$transaction(async (tx) => {
    await lockQuota(tx, { orgId, table: 'approval_requests' });
    await guard.requireNotDeleted(tx, workspaceId);
    const earlier = await findByKey(tx, orgId, idempotencyKey);
    if (findStanding(earlier, { policyId: policy.id, inputHash, requestHash }).standing !== 'none') return undefined;
    await requireWithinLimit(tx, orgId);
    const its = { workspaceId, call: call!, idempotencyKey, preview, requestHash, codeRun, policy, reasons, inputHash };
    const row = await insertRequest(tx, its);
    await outbox.add(tx, changed('approvalRequested', row), orgId);
    return row;
  });
  outbox.wake();
  return opened;
}

/**
 * Marks an approval as used with one conditional UPDATE, so that only one execution succeeds. The same execution can repeat this if the response was
 * lost. `insteadOf` is an execution that released its idempotency key without running; its use can be taken over within an hour. Throws NOT_FOUND for
 * an invalid id, and FORBIDDEN if the approval is expired, not approved or used by another execution.
 */
export async function useApproval(
  { db }: Pick<ApprovalParts, 'db'>,
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
  throw new ApiError('FORBIDDEN', `Approval ${approvalId} was already used, has expired or is not approved`, {
    details: { approvalId, reason: 'used', executionId: row?.executionId ?? null },
  });
}
