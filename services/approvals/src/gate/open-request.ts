import { randomUUID } from 'node:crypto';
import { newId, quotaExceeded } from '@drawbridge/contracts';
import { lockQuota } from '@drawbridge/database';
import { type AdmitRequest } from '@drawbridge/proto/drawbridge/approvals/v1/gate';
import { caller } from '@drawbridge/rpc';
import { type ApprovalRequest as Row, type Prisma } from '../gen/prisma/client.js';
import { changed } from '../requests/events.js';
import { findByKey } from './earlier-requests.js';
import { toJson } from '../policies/policy-rows.js';
import { type GateParts } from './gate-parts.js';
import { type Matched } from './policies-in-force.js';
import { findStanding } from './standing.js';

/** The most pending requests of an organization. */
const MAX_PENDING = 10_000;

type Asked = Matched & { inputHash: string };

/**
 * Opens a request. An organization opens one at a time. Returns undefined if another call opened one under the same key meanwhile. Throws
 * NOT_FOUND (workspace) and QUOTA_EXCEEDED.
 */
export async function openRequest(
  { db, guard, outbox }: GateParts,
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
    await requireRoom(tx, orgId);
    const row = await insert(tx, { ...request, idempotencyKey }, asked);
    await outbox.add(tx, changed('approvalRequested', row), orgId);
    return row;
  });
  outbox.wake();
  return opened;
}

async function requireRoom(tx: Pick<Prisma.TransactionClient, '$queryRaw'>, orgId: string): Promise<void> {
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
