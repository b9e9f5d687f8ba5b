import { setTimeout as sleep } from 'node:timers/promises';
import { masked, type Masked, notFound, POLICY_STALENESS_MS, requireCount } from '@drawbridge/contracts';
import { lock, newestFirst } from '@drawbridge/database';
import { type Outbox, type WorkspaceGuard } from '@drawbridge/events';
import {
  type ListApprovalPoliciesRequest,
  type PolicyServiceDefinition,
  type UpdateApprovalPolicyRequest,
} from '@drawbridge/proto/drawbridge/approvals/v1/policies';
import {
  type ApprovalPolicy,
  type ApprovalPolicyChanges,
  ApprovalPolicyChangesNullable,
  type CreateApprovalPolicyRequest,
} from '@drawbridge/proto/drawbridge/approvals/v1/policy';
import { caller, type Implementation, requireInScope, workspacesInScope } from '@drawbridge/rpc';
import { type ApprovalPolicy as Row, Prisma, type PrismaClient as Db } from '../gen/prisma/client.js';
import { requireSmall } from './policy-problems.js';
import { type KnownPolicies, toJson, toMessage, withDefaults } from './stored-policies.js';
import { type TestNeeds, testPolicy } from './test-policy.js';

interface PolicyNeeds extends TestNeeds {
  db: Db;
  guard: WorkspaceGuard;
  outbox: Outbox;
  known: Pick<KnownPolicies, 'forget'>;
}

export const policies = (needs: PolicyNeeds): Implementation<PolicyServiceDefinition> => ({
  listApprovalPolicies: (request) => list(needs, request),

  createApprovalPolicy: (request) => create(needs, request),

  getApprovalPolicy: async ({ id }) => toMessage(await find(needs.db, id)),

  updateApprovalPolicy: (request) => update(needs, request),

  async deleteApprovalPolicy({ id }) {
    const where = { id, orgId: caller().orgId };
    await change(needs, async (tx) => {
      const row = await find(tx, id);
      const { count } = await tx.approvalPolicy.deleteMany({ where });
      if (count === 0) throw notFound('Approval policy', id);
      return row;
    });
    return { deleted: true, id };
  },

  testApprovalPolicy: (request) => testPolicy(needs, request),
});

async function list({ db, requireWorkspaceNow }: PolicyNeeds, { workspaceId, ...page }: ListApprovalPoliciesRequest) {
  if (workspaceId !== undefined) await requireWorkspaceNow(workspaceId);
  const own = workspacesInScope();
  const table = { rows: db.approvalPolicy, totals: db.total, name: 'approval_policies' };
  const only = workspaceId === undefined ? own && { workspaceId: { in: own } } : { workspaceId };
  // Policies cannot be suspended, so this parameter of `newestFirst` has no effect.
  const { rows, total } = await newestFirst(
    table,
    { orgId: caller().orgId, only },
    { ...page, includeSuspended: true },
  );
  return { policies: rows.map(toMessage), total };
}

async function create(needs: PolicyNeeds, request: CreateApprovalPolicyRequest): Promise<ApprovalPolicy> {
  await needs.requirePolicy(request);
  const { name, description, workspaceId } = request;
  if (workspaceId) await needs.requireWorkspaceNow(workspaceId);
  const data = { orgId: caller().orgId, workspaceId, name, description, ...withDefaults(request) };
  return store(needs, workspaceId, (tx) => tx.approvalPolicy.create({ data }));
}

async function update(needs: PolicyNeeds, { id, ...patch }: UpdateApprovalPolicyRequest): Promise<ApprovalPolicy> {
  const changes = masked(patch, ApprovalPolicyChangesNullable, 'VALIDATION_ERROR');
  const { orgId, workspaceId: before } = await find(needs.db, id);
  const workspaceId = changes.workspaceId === undefined ? before : changes.workspaceId;
  requireInScope(workspaceId);
  await needs.requirePolicy(changes);
  for (const place of new Set([before, workspaceId])) if (place !== null) await needs.requireWorkspaceNow(place);
  return store(needs, workspaceId, async (tx) => {
    // The size limit applies to the whole policy, so the check includes the fields that do not change.
    requireSmall({ ...toMessage(await find(tx, id)), ...changes });
    const [row] = await tx.approvalPolicy.updateManyAndReturn({ where: { id, orgId }, data: toData(changes) });
    if (!row) throw notFound('Approval policy', id);
    return row;
  });
}

/** Writes a policy under a lock of the organization, because the limits cover all policies of the organization. */
async function store(
  needs: PolicyNeeds,
  workspaceId: string | null | undefined,
  write: (tx: Prisma.TransactionClient) => Promise<Row>,
): Promise<ApprovalPolicy> {
  const { orgId } = caller();
  const row = await change(needs, async (tx) => {
    if (workspaceId) await needs.guard.requireNotDeleted(tx, workspaceId);
    await lock(tx, `approval policies ${orgId}`);
    const written = await write(tx);
    await requireWithinLimits(tx, orgId);
    return written;
  });
  return toMessage(row);
}

/** Changes a policy in one transaction. Returns only when every process applies the change, because the caller relies on the policy from then on. */
async function change(
  { db, outbox, known }: PolicyNeeds,
  work: (tx: Prisma.TransactionClient) => Promise<Row>,
): Promise<Row> {
  const changed = db.$transaction(async (tx) => {
    const row = await work(tx);
    const { id, name, workspaceId } = row;
    await outbox.record(tx, { id, name, workspaceId });
    return row;
  });
  const row = await changed.finally(() => known.forget(caller().orgId));
  await appliedEverywhere();
  return row;
}

function toData({ rules, approvers, metadata, ...plain }: Masked<ApprovalPolicyChanges>) {
  return {
    ...plain,
    ...(rules && { rules: toJson(rules) }),
    ...(approvers && { approvers: toJson(approvers) }),
    ...(metadata !== undefined && { metadata: metadata === null ? Prisma.DbNull : toJson(metadata) }),
  };
}

/** Returns a policy of the caller's organization. Throws NOT_FOUND and SCOPE_DENIED. */
async function find(db: Db | Prisma.TransactionClient, id: string): Promise<Row> {
  const row = await db.approvalPolicy.findFirst({ where: { id, orgId: caller().orgId } });
  if (!row) throw notFound('Approval policy', id);
  requireInScope(row.workspaceId);
  return row;
}

/** Maximum number of policies per organization, because every call is evaluated against all of them. */
const MAX_POLICIES = 500;
/** Maximum size of all policies of an organization, because they are read together. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Throws VALIDATION_ERROR if the policies of the organization exceed their limits. Must be called after the write, in the same transaction and under
 * the lock.
 */
async function requireWithinLimits(tx: Prisma.TransactionClient, orgId: string): Promise<void> {
  const [held] = await tx.$queryRaw<{ policies: number; bytes: number }[]>`
    SELECT count(*)::int AS policies, sum(octet_length(policy::text))::int AS bytes
    FROM approvals.approval_policies AS policy WHERE org_id = ${orgId}::uuid`;
  const { policies, bytes } = held!;
  const owner = 'an organization';
  requireCount(
    { field: 'name', owner, what: 'approval policies', used: policies, most: MAX_POLICIES },
    { field: 'rules', owner, what: 'bytes in its approval policies', used: bytes, most: MAX_BYTES },
  );
}

/** Added to the waiting time, in milliseconds, because timers are inaccurate and the clocks of two machines differ. */
const MARGIN_MS = 20;

/** Waits until every process applies all policies that were committed before the call. Processes check for changes every POLICY_STALENESS_MS. */
export async function appliedEverywhere(): Promise<void> {
  await sleep(POLICY_STALENESS_MS + MARGIN_MS);
}
