import { randomUUID } from 'node:crypto';
import { refused } from '@drawbridge/contracts';
import { lockQuota } from '@drawbridge/database';
import {
  type AdmitCodeRunRequest,
  type BlockedCall,
  type CodeRun,
  type CodeRunApprovals,
  type GetCodeRunApprovalsRequest,
  type Preview,
} from '@drawbridge/proto/drawbridge/approvals/v1/gate';
import { type Approval } from '@drawbridge/proto/drawbridge/approvals/v1/requests';
import { caller } from '@drawbridge/rpc';
import { type Prisma } from '../gen/prisma/client.js';
import { changed, toApproval } from '../requests/approval-request.js';
import { expireDue } from '../requests/expiry.js';
import { batchPreview } from './batch-preview.js';
import { blockedBy, evaluateCallsWithoutInput, type PolicyParts } from './call-policies.js';
import { type Blocked, coveredCalls, type Group, groupCalls, shownCall } from './code-run-groups.js';
import { hashOf } from './earlier-requests.js';
import { insertRequest, requireWithinLimit } from './insert-request.js';
import { type ApprovalParts } from './require-approval.js';

type Parts = ApprovalParts & PolicyParts;

/**
 * Evaluates the policies for the predicted calls of a Code Mode run, and creates an approval request for each policy that requires approval. Throws
 * the errors that the RPC AdmitCodeRun documents.
 */
export async function admitCodeRun(parts: Parts, request: AdmitCodeRunRequest): Promise<CodeRunApprovals> {
  const { workspaceId, run, calls } = request;
  const judgements = await evaluateCallsWithoutInput(parts, { workspaceId, calls: calls.map(({ call }) => call!) });
  const { groups, blocked } = groupCalls(calls, judgements);
  await expireDue(parts.pool, caller().orgId);
  if (groups.length > 0) await openRequests(parts, request, groups);
  const approvals = await approvalsOfRun(parts, { workspaceId, codeRunId: run!.id });
  return { approvals, blocked: await Promise.all(blocked.map(toBlockedCall)) };
}

async function toBlockedCall({ path, judgement }: Blocked): Promise<BlockedCall> {
  return { path, refusal: await refused(() => Promise.reject(blockedBy(judgement))) };
}

const NO_PREVIEW: Preview = { redactedPaths: [], truncatedFields: [], omittedFields: 0 };

/**
 * Creates an approval request for each group that has none, in one transaction. Holds the lock of the quota, so that a concurrent RPC for the same
 * run finds these requests instead of creating them again. Throws NOT_FOUND (workspace) and QUOTA_EXCEEDED.
 */
async function openRequests(
  { db, guard, outbox }: ApprovalParts,
  { workspaceId, run: given, preview = NO_PREVIEW }: AdmitCodeRunRequest,
  groups: readonly Group[],
): Promise<void> {
  const { orgId } = caller();
  const run = given!;
  await db.$transaction(async (tx) => {
    await lockQuota(tx, { orgId, table: 'approval_requests' });
    await guard.requireNotDeleted(tx, workspaceId);
    const earlier = await batchesOf(tx, { workspaceId, run });
    const known = groups.map((group) => ({ ...group, id: earlier.get(group.policy.id) ?? group.id }));
    const missing = known.filter(({ policy }) => !earlier.has(policy.id));
    await requireWithinLimit(tx, orgId, missing.length);
    for (const group of missing) {
      const { id, policy, reasons } = group;
      const covers = { call: shownCall(group), ...coveredCalls(group), codeRun: run };
      const shown = batchPreview(group, { run, preview, groups: known });
      // Differs from the input hash of every call, so that no call reuses the approval of a run.
      const inputHash = hashOf({ codeRun: { orgId, workspaceId, policyId: policy.id, ...run } });
      const its = { id, workspaceId, policy, reasons, preview: shown, inputHash, idempotencyKey: randomUUID() };
      const row = await insertRequest(tx, { ...its, ...covers });
      await outbox.add(tx, changed('approvalRequested', row), orgId);
    }
  });
  outbox.wake();
}

/**
 * Returns the ids of the run's batch requests by policy id. Ignores requests for a different program or different tools, because their approver saw
 * another run.
 */
async function batchesOf(
  tx: Pick<Prisma.TransactionClient, 'approvalRequest'>,
  { workspaceId, run: { id: codeRunId, codeHash, toolSurfaceHash } }: { workspaceId: string; run: CodeRun },
): Promise<Map<string, string>> {
  const where = { orgId: caller().orgId, workspaceId, codeRunId, codeHash, toolSurfaceHash };
  const batch = { ...where, batchTools: { isEmpty: false } };
  const rows = await tx.approvalRequest.findMany({ where: batch, select: { id: true, policyId: true } });
  return new Map(rows.map(({ id, policyId }) => [policyId, id]));
}

/** Returns the approval requests of a run. Throws the errors that the RPC GetCodeRunApprovals documents. */
export async function getCodeRunApprovals(
  parts: ApprovalParts,
  request: GetCodeRunApprovalsRequest,
): Promise<CodeRunApprovals> {
  await expireDue(parts.pool, caller().orgId);
  return { approvals: await approvalsOfRun(parts, request), blocked: [] };
}

/** Maximum number of requests of a run in one response. */
const MAX_SHOWN = 200;

/**
 * Returns the approval requests of a run, oldest first. Beyond MAX_SHOWN, requests that end the run take precedence, followed by pending requests,
 * which the run waits for.
 */
async function approvalsOfRun(
  { db, links }: Pick<ApprovalParts, 'db' | 'links'>,
  { workspaceId, codeRunId }: GetCodeRunApprovalsRequest,
): Promise<Approval[]> {
  const { orgId } = caller();
  const found = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM approvals.approval_requests
    WHERE org_id = ${orgId}::uuid AND workspace_id = ${workspaceId}::uuid AND code_run_id = ${codeRunId}::uuid
    ORDER BY CASE status WHEN 'pending' THEN 1 WHEN 'approved' THEN 2 WHEN 'consumed' THEN 3 ELSE 0 END, id
    LIMIT ${MAX_SHOWN}`;
  const where = { orgId, id: { in: found.map(({ id }) => id) } };
  const rows = await db.approvalRequest.findMany({ where, orderBy: { id: 'asc' } });
  return rows.map((row) => toApproval(links, row));
}
