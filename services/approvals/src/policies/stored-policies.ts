import { POLICY_STALENESS_MS } from '@drawbridge/contracts';
import { toWire } from '@drawbridge/database';
import {
  type ApprovalApprover,
  type ApprovalPolicy,
  type CreateApprovalPolicyRequest,
  CreateApprovalPolicyRequestDefaults as DEFAULTS,
} from '@drawbridge/proto/drawbridge/approvals/v1/policy';
import { memoize } from '@drawbridge/rpc';
import { LRUCache } from 'lru-cache';
import { type ApprovalPolicy as Row, type Prisma, type PrismaClient as Db } from '../gen/prisma/client.js';
import { type Decision, type EndUserMode, type Policy, type RiskMode, type Rules } from './policy.js';
import { type PreparedPolicies, preparePoliciesInSteps } from './prepare-policies.js';

const KEPT = { ttlMs: POLICY_STALENESS_MS };
/** Limits of the cache. `maxSize` counts list entries of policies: about 100 MiB, or ten organizations of maximum size. */
const PREPARED = { max: 10_000, maxSize: 500_000, ttl: 600_000, ttlResolution: 0 };

export type KnownPolicies = ReturnType<typeof knownPolicies>;

/** Caches policies. Checks their version at most every POLICY_STALENESS_MS, and reads and compiles them only after a change. */
export function knownPolicies(db: Db) {
  const prepared = new LRUCache<string, { version: string; policies: PreparedPolicies<StoredPolicy> }>({
    ...PREPARED,
    sizeCalculation: ({ policies }) => policies.entries + 1,
  });

  const known = memoize(KEPT, async (orgId) => {
    const version = await versionOf(db, orgId);
    const before = prepared.get(orgId);
    if (before?.version === version) return before.policies;
    const rows = await db.approvalPolicy.findMany({ where: { orgId, enabled: true } });
    const policies = await preparePoliciesInSteps(rows.map(toPolicy), `${orgId} ${version}`);
    // The rows can be newer than the version, which was read first. The next check then finds another version and reads the rows again.
    prepared.set(orgId, { version, policies });
    return policies;
  });
  return {
    /** Returns the enabled policies of an organization, compiled for `evaluate`. */
    of: (orgId: string) => known(orgId),
    /**
     * Removes the policies of an organization from the cache. Must be called after each write in this process, so that the process applies the write
     * at once.
     */
    forget: (orgId: string): void => known.forget(orgId),
  };
}

/** Returns a version that changes with each write to an enabled policy of the organization. xmin is the id of the transaction that wrote a row. */
async function versionOf(db: Db, orgId: string): Promise<string> {
  const [row] = await db.$queryRaw<{ version: string | null }[]>`
    SELECT md5(string_agg(id::text || xmin::text, ',' ORDER BY id)) AS version
    FROM approvals.approval_policies WHERE org_id = ${orgId}::uuid AND enabled`;
  return row?.version ?? '';
}

/** A stored policy, with the fields for its evaluation and for the approval requests that it creates. */
export interface StoredPolicy
  extends Policy, Omit<Row, keyof Policy | 'rules' | 'approvers' | 'metadata' | 'description' | 'createdAt'> {
  description: string | null;
  approvers: readonly ApprovalApprover[];
}

function toPolicy(row: Row): StoredPolicy {
  const { metadata: _metadata, createdAt: _createdAt, ...policy } = row;
  return {
    ...policy,
    endUserMode: row.endUserMode as EndUserMode,
    decision: row.decision as Decision,
    riskMode: row.riskMode as RiskMode,
    rules: row.rules as unknown as Rules,
    approvers: row.approvers as unknown as ApprovalApprover[],
  };
}

export function toMessage(row: Row): ApprovalPolicy {
  return {
    ...toWire(row),
    rules: row.rules as ApprovalPolicy['rules'],
    approvers: row.approvers as unknown as ApprovalApprover[],
    metadata: (row.metadata ?? undefined) as ApprovalPolicy['metadata'],
  };
}

/** Fills in the defaults of a new policy. */
export function withDefaults(request: Omit<CreateApprovalPolicyRequest, 'name'>) {
  const { rules = {}, approvers = [], metadata, ...plain } = request;
  return {
    enabled: plain.enabled ?? DEFAULTS.enabled,
    priority: plain.priority ?? DEFAULTS.priority,
    sources: plain.sources ?? [...DEFAULTS.sources],
    mcpServerIds: plain.mcpServerIds ?? [],
    workspaceIntegrationIds: plain.workspaceIntegrationIds ?? [],
    integrationNames: plain.integrationNames ?? [],
    integrationAliases: plain.integrationAliases ?? [],
    actionNames: plain.actionNames ?? [],
    connectionStrategies: plain.connectionStrategies ?? [],
    endUserMode: plain.endUserMode ?? DEFAULTS.endUserMode,
    decision: plain.decision ?? DEFAULTS.decision,
    riskMode: plain.riskMode ?? DEFAULTS.riskMode,
    timeoutSeconds: plain.timeoutSeconds ?? DEFAULTS.timeoutSeconds,
    defaultOnTimeout: plain.defaultOnTimeout ?? DEFAULTS.defaultOnTimeout,
    reuseWindowSeconds: plain.reuseWindowSeconds ?? null,
    approvalAccessMode: plain.approvalAccessMode ?? DEFAULTS.approvalAccessMode,
    rules: toJson(rules),
    approvers: toJson(approvers),
    ...(metadata && { metadata: toJson(metadata) }),
  };
}

/** Converts a message to JSON, which omits undefined fields. */
export function toJson(value: object): Prisma.InputJsonValue {
  return JSON.parse(JSON.stringify(value)) as Prisma.InputJsonValue;
}
