import { toWire } from '@drawbridge/database';
import {
  type CreateApprovalPolicyRequest,
  CreateApprovalPolicyRequestDefaults as DEFAULTS,
  type ApprovalApprover,
  type ApprovalPolicy,
} from '@drawbridge/proto/drawbridge/approvals/v1/policy';
import { type ApprovalPolicy as Row, type Prisma } from '../gen/prisma/client.js';
import { type Decision, type EndUserMode, type Policy, type RiskMode, type Rules } from './policy.js';

/** A stored policy: the fields for evaluation, and those for the requests that it opens. */
export interface StoredPolicy
  extends Policy, Omit<Row, keyof Policy | 'rules' | 'approvers' | 'metadata' | 'description' | 'createdAt'> {
  description: string | null;
  approvers: readonly ApprovalApprover[];
}

export function toPolicy(row: Row): StoredPolicy {
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

/** Returns the fields of a message that have a value. */
export function toJson(value: object): Prisma.InputJsonValue {
  return JSON.parse(JSON.stringify(value)) as Prisma.InputJsonValue;
}
