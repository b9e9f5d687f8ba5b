import { randomUUID } from 'node:crypto';
import { ApiError, invalid, newId, quotaExceeded } from '@drawbridge/contracts';
import { lockQuota } from '@drawbridge/database';
import { type Outbox, type WorkspaceGuard } from '@drawbridge/events';
import {
  type Admission,
  type AdmitRequest,
  type UseApprovalRequest,
} from '@drawbridge/proto/drawbridge/approvals/v1/gate';
import { caller } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { type ApprovalRequest as Row, type Prisma, type PrismaClient as Db } from '../gen/prisma/client.js';
import { toJson } from '../policies/stored-policies.js';
import { type LinkKeeper } from '../requests/approval-links.js';
import { changed, findRequest, fromApprovalId, toApproval, toApprovalId } from '../requests/approval-request.js';
import { expireDue } from '../requests/expiry.js';
import { findByKey, findReusable, findStanding, inputHash } from './earlier-requests.js';
import { type Matched } from './call-policies.js';

export interface ApprovalParts {
  db: Db;
  pool: Pool;
  guard: WorkspaceGuard;
  outbox: Outbox;
  links: LinkKeeper;
}

export const WANTS_PREVIEW: Admission = { admission: { $case: 'wantsPreview', value: {} } };

/**
 * Decides a call that needs an approval: it runs as the exact retry or within the reuse window of an earlier approval, or it waits. Throws
 * FORBIDDEN if its request timed out, VALIDATION_ERROR if its key belongs to another call, and the errors of opening a request.
 */
export async function underApproval(parts: ApprovalParts, request: AdmitRequest, verdict: Matched): Promise<Admission> {
  const { db, pool, links } = parts;
  const { orgId } = caller();
  const { workspaceId, call, idempotencyKey, requestHash } = request;
  const { policy } = verdict;
  const asked = { orgId, policyId: policy.id, requestHash, inputHash: inputHash({ orgId, workspaceId }, call!) };
  await expireDue(pool, orgId);
  const { standing, earlier } = findStanding(await findByKey(db, orgId, idempotencyKey), asked);
  switch (standing) {
    case 'approved':
      return runsUnder(earlier.id, true);
    case 'pending':
      return waits(toApproval(links, await findRequest(db, earlier.id)));
    case 'refused':
      throw expired(toApprovalId(earlier.id));
    case 'taken':
      throw invalid({ idempotencyKey: 'asked for the approval of another call; take a new key' });
    case 'none':
      break;
    default:
      return standing satisfies never;
  }
  const reuse = { policyVersion: policy.updatedAt, withinSeconds: policy.reuseWindowSeconds };
  const reusable = await findReusable(db, { ...asked, ...reuse });
  if (reusable) return runsUnder(reusable.id, false);
  if (!request.preview) return WANTS_PREVIEW;
  const opened = await openRequest(parts, request, { ...verdict, inputHash: asked.inputHash });
  // Undefined: another call opened a request under the key meanwhile.
  return opened ? waits(toApproval(links, opened)) : underApproval(parts, request, verdict);
}

function runsUnder(id: string, mustUse: boolean): Admission {
  return { admission: { $case: 'approved', value: { approvalId: toApprovalId(id), mustUse } } };
}

function waits(value: ReturnType<typeof toApproval>): Admission {
  return { admission: { $case: 'pending', value } };
}

function expired(approvalId: string): ApiError {
  const details = { approvalId, reason: 'expired' };
  return new ApiError('FORBIDDEN', `Nobody approved this in time (${approvalId})`, { details });
}

/** The most pending requests of an organization. */
const MAX_PENDING = 10_000;

type Asked = Matched & { inputHash: string };

/**
 * Opens a request. An organization opens one at a time. Returns undefined if another call opened one under the same key meanwhile. Throws
 * NOT_FOUND (workspace) and QUOTA_EXCEEDED.
 */
async function openRequest(
  { db, guard, outbox }: ApprovalParts,
  request: AdmitRequest,
  asked: Asked,
): Promise<Row | undefined> {
  const { orgId } = caller();
  const { workspaceId, idempotencyKey = randomUUID() } = request;
  const { policy, inputHash } = asked;
  const opened = await db.$transaction(async (tx) => {
    await lockQuota(tx, { orgId, table: 'approval_requests' });
    await guard.requireNotDeleted(tx, workspaceId);
    const earlier = await findByKey(tx, orgId, idempotencyKey);
    const { requestHash } = request;
    if (findStanding(earlier, { policyId: policy.id, inputHash, requestHash }).standing !== 'none') return undefined;
    await requireWithinLimit(tx, orgId);
    const row = await insert(tx, { ...request, idempotencyKey }, asked);
    await outbox.add(tx, changed('approvalRequested', row), orgId);
    return row;
  });
  outbox.wake();
  return opened;
}

async function requireWithinLimit(tx: Pick<Prisma.TransactionClient, '$queryRaw'>, orgId: string): Promise<void> {
  const [counted] = await tx.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM (
      SELECT FROM approvals.approval_requests WHERE org_id = ${orgId}::uuid AND status = 'pending' LIMIT ${MAX_PENDING}) waiting`;
  const used = counted?.count ?? 0;
  if (used >= MAX_PENDING) throw quotaExceeded('pending approvals', { limit: MAX_PENDING, used });
}

/** Inserts the request. Its expiry uses the database's clock. */
async function insert(
  tx: Prisma.TransactionClient,
  { workspaceId, call, idempotencyKey, preview, requestHash }: AdmitRequest & { idempotencyKey: string },
  { policy, reasons, inputHash }: Asked,
): Promise<Row> {
  const { orgId, source } = caller();
  const { integrationName, workspaceIntegrationId, integrationAlias, actionName, endUserId, mcpServerId } = call!;
  const [clock] = await tx.$queryRaw<{ expiresAt: Date }[]>`
    SELECT now() + ${policy.timeoutSeconds}::int * interval '1 second' AS "expiresAt"`;
  const place = { orgId, workspaceId, integrationName, workspaceIntegrationId, integrationAlias, actionName };
  const { timeoutSeconds, defaultOnTimeout, approvalAccessMode } = policy;
  return tx.approvalRequest.create({
    data: {
      id: newId(),
      ...place,
      ...{ endUserId, mcpServerId, source, idempotencyKey, inputHash, requestHash },
      ...{ timeoutSeconds, defaultOnTimeout, approvalAccessMode },
      policyId: policy.id,
      policyVersion: policy.updatedAt,
      approvers: toJson(policy.approvers),
      account: preview?.account,
      inputPreview: (preview?.input ?? {}) as Prisma.InputJsonValue,
      redactedPaths: preview?.redactedPaths ?? [],
      truncatedFields: preview?.truncatedFields ?? [],
      omittedFields: preview?.omittedFields ?? 0,
      riskReasons: reasons,
      expiresAt: clock!.expiresAt,
    },
  });
}

/**
 * Uses an approval with one conditional UPDATE, so that one execution wins. Idempotent: the same execution can retry after a lost answer.
 * `insteadOf` takes over, within an hour, from an execution that released its key and never ran.
 * Throws NOT_FOUND for an invalid id, and FORBIDDEN if the approval is used by another execution, expired or not approved.
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
  throw new ApiError('FORBIDDEN', `Nothing can run under ${approvalId} any more`, {
    details: { approvalId, reason: 'used', executionId: row?.executionId ?? null },
  });
}
