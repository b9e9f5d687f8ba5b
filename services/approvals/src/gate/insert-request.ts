import { newId, quotaExceeded } from '@drawbridge/contracts';
import { type CodeRun, type GatedCall, type Preview } from '@drawbridge/proto/drawbridge/approvals/v1/gate';
import { caller } from '@drawbridge/rpc';
import { type ApprovalRequest as Row, type Prisma } from '../gen/prisma/client.js';
import { type StoredPolicy, toJson } from '../policies/stored-policies.js';

/** Maximum number of pending approval requests of an organization. */
const MAX_PENDING = 10_000;

/** Throws QUOTA_EXCEEDED if `further` approval requests would exceed the limit of the organization. Must be called with the lock of the quota. */
export async function requireWithinLimit(
  tx: Pick<Prisma.TransactionClient, '$queryRaw'>,
  orgId: string,
  further = 1,
): Promise<void> {
  const [counted] = await tx.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM (
      SELECT FROM approvals.approval_requests WHERE org_id = ${orgId}::uuid AND status = 'pending' LIMIT ${MAX_PENDING}) waiting`;
  const used = counted?.count ?? 0;
  if (used + further > MAX_PENDING) throw quotaExceeded('pending approvals', { limit: MAX_PENDING, used });
}

/** The fields of a call that an approval request displays in addition to the preview. */
export type RequestedCall = Pick<GatedCall, 'integrationName' | 'actionName'> &
  Partial<Pick<GatedCall, 'workspaceIntegrationId' | 'integrationAlias' | 'endUserId' | 'mcpServerId'>>;

export interface NewRequest {
  id?: string;
  workspaceId: string;
  call: RequestedCall;
  idempotencyKey: string;
  preview?: Preview;
  /** Absent for a batch request, which has no retry. */
  requestHash?: string;
  codeRun?: CodeRun;
  /** The tool paths that a batch request covers. Empty for a request for a single call. */
  batchTools?: string[];
  /** The connections that the tools in `batchTools` use, in the same order. */
  batchConnections?: string[];
  policy: StoredPolicy;
  reasons: string[];
  inputHash: string;
}

/** Inserts an approval request. Its expiry is computed with the clock of the database, because processes can have different clocks. */
export async function insertRequest(
  tx: Prisma.TransactionClient,
  {
    id = newId(),
    call,
    codeRun,
    batchTools = [],
    batchConnections = [],
    preview,
    policy,
    reasons,
    ...request
  }: NewRequest,
): Promise<Row> {
  const { orgId, source } = caller();
  const { integrationName, workspaceIntegrationId, integrationAlias, actionName, endUserId, mcpServerId } = call;
  const [clock] = await tx.$queryRaw<{ expiresAt: Date }[]>`
    SELECT now() + ${policy.timeoutSeconds}::int * interval '1 second' AS "expiresAt"`;
  const { timeoutSeconds, defaultOnTimeout, approvalAccessMode } = policy;
  return tx.approvalRequest.create({
    data: {
      ...{ id, orgId, source, ...request },
      ...{ integrationName, workspaceIntegrationId, integrationAlias, actionName, endUserId, mcpServerId },
      ...{ codeRunId: codeRun?.id, codeHash: codeRun?.codeHash, toolSurfaceHash: codeRun?.toolSurfaceHash },
      ...{ batchTools, batchConnections },
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
