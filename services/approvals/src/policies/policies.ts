import { masked, notFound } from '@drawbridge/contracts';
import { newestFirst } from '@drawbridge/database';
import { type Outbox, type WorkspaceGuard } from '@drawbridge/events';
import {
  type ListApprovalPoliciesRequest,
  type PolicyServiceDefinition,
  type UpdateApprovalPolicyRequest,
} from '@drawbridge/proto/drawbridge/approvals/v1/policies';
import {
  type CreateApprovalPolicyRequest,
  ApprovalPolicyChangesNullable,
} from '@drawbridge/proto/drawbridge/approvals/v1/policy';
import { caller, type Implementation, requireInScope, workspacesInScope } from '@drawbridge/rpc';
import { type ApprovalPolicy as Row, Prisma, type PrismaClient as Db } from '../gen/prisma/client.js';
import { appliedEverywhere } from './applied-everywhere.js';
import { type KnownPolicies } from './known-policies.js';
import { toJson, toMessage, withDefaults } from './policy-rows.js';
import { requireSmall } from './require-policy.js';
import { lockPolicies, requireRoom } from './room.js';
import { testPolicy, type TestNeeds } from './test-policy.js';

export interface PolicyNeeds extends TestNeeds {
  db: Db;
  guard: WorkspaceGuard;
  outbox: Outbox;
  known: Pick<KnownPolicies, 'forget'>;
}

export const policies = (needs: PolicyNeeds): Implementation<PolicyServiceDefinition> => ({
  listApprovalPolicies: (request) => list(needs, request),

  createApprovalPolicy: async (request) => toMessage(await applied(create(needs, request))),

  getApprovalPolicy: async ({ id }) => toMessage(await find(needs.db, id)),

  updateApprovalPolicy: async (request) => toMessage(await applied(update(needs, request))),

  async deleteApprovalPolicy({ id }) {
    const { db, outbox, known } = needs;
    const { orgId } = caller();
    const deleted = db.$transaction(async (tx) => {
      const row = await find(tx, id);
      const { count } = await tx.approvalPolicy.deleteMany({ where: { id, orgId } });
      if (count === 0) throw notFound('Approval policy', id);
      await outbox.record(tx, changeOf(row));
    });
    await applied(deleted.finally(() => known.forget(orgId)));
    return { deleted: true, id };
  },

  testApprovalPolicy: (request) => testPolicy(needs, request),
});

/** Returns the result once every replica applies the change. */
async function applied<Result>(change: Promise<Result>): Promise<Result> {
  const result = await change;
  await appliedEverywhere();
  return result;
}

async function list({ db, requireWorkspaceNow }: PolicyNeeds, { workspaceId, ...page }: ListApprovalPoliciesRequest) {
  if (workspaceId !== undefined) await requireWorkspaceNow(workspaceId);
  const own = workspacesInScope();
  const table = { rows: db.approvalPolicy, totals: db.total, name: 'approval_policies' };
  const only = workspaceId === undefined ? own && { workspaceId: { in: own } } : { workspaceId };
  // Policies cannot be suspended.
  const { rows, total } = await newestFirst(
    table,
    { orgId: caller().orgId, only },
    { ...page, includeSuspended: true },
  );
  return { policies: rows.map(toMessage), total };
}

async function create(
  { db, guard, outbox, known, requireWorkspaceNow, requirePolicy }: PolicyNeeds,
  request: CreateApprovalPolicyRequest,
): Promise<Row> {
  await requirePolicy(request);
  const { name, description, workspaceId } = request;
  if (workspaceId) await requireWorkspaceNow(workspaceId);
  const { orgId } = caller();
  const created = db.$transaction(async (tx) => {
    if (workspaceId) await guard.requireNotDeleted(tx, workspaceId);
    await lockPolicies(tx, orgId);
    const row = await tx.approvalPolicy.create({
      data: { orgId, workspaceId, name, description, ...withDefaults(request) },
    });
    await requireRoom(tx, orgId);
    await outbox.record(tx, changeOf(row));
    return row;
  });
  return created.finally(() => known.forget(orgId));
}

/** Updates a policy under the organization's lock, because the size check includes the fields that do not change. */
async function update(needs: PolicyNeeds, { id, ...patch }: UpdateApprovalPolicyRequest): Promise<Row> {
  const { db, guard, outbox, known, requireWorkspaceNow, requirePolicy } = needs;
  const changes = masked(patch, ApprovalPolicyChangesNullable, 'VALIDATION_ERROR');
  const { orgId, workspaceId: before } = await find(db, id);
  const workspaceId = changes.workspaceId === undefined ? before : changes.workspaceId;
  requireInScope(workspaceId);
  await requirePolicy(changes);
  for (const place of new Set([before, workspaceId])) if (place !== null) await requireWorkspaceNow(place);
  const updated = db.$transaction(async (tx) => {
    if (workspaceId !== null) await guard.requireNotDeleted(tx, workspaceId);
    await lockPolicies(tx, orgId);
    requireSmall({ ...toMessage(await find(tx, id)), ...changes });
    const [row] = await tx.approvalPolicy.updateManyAndReturn({ where: { id, orgId }, data: toData(changes) });
    if (!row) throw notFound('Approval policy', id);
    await requireRoom(tx, orgId);
    await outbox.record(tx, changeOf(row));
    return row;
  });
  return updated.finally(() => known.forget(orgId));
}

function toData({ rules, approvers, metadata, ...plain }: ReturnType<typeof masked<Changes>>) {
  return {
    ...plain,
    ...(rules && { rules: toJson(rules) }),
    ...(approvers && { approvers: toJson(approvers) }),
    ...(metadata !== undefined && { metadata: metadata === null ? Prisma.DbNull : toJson(metadata) }),
  };
}

type Changes = NonNullable<UpdateApprovalPolicyRequest['changes']>;

/** Returns a policy of the caller's organization. Throws NOT_FOUND and SCOPE_DENIED. */
async function find(db: Db | Prisma.TransactionClient, id: string): Promise<Row> {
  const row = await db.approvalPolicy.findFirst({ where: { id, orgId: caller().orgId } });
  if (!row) throw notFound('Approval policy', id);
  requireInScope(row.workspaceId);
  return row;
}

function changeOf({ id, name, workspaceId }: Row) {
  return { id, name, workspaceId };
}
