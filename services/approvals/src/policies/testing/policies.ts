import { type Policy, type PolicyCall } from '../policy.js';

/** Returns a policy that requires an approval for every call. */
export function policyOf(fields: Partial<Policy> = {}): Policy {
  return {
    id: 'p1',
    workspaceId: null,
    name: 'P',
    enabled: true,
    priority: 100,
    sources: [],
    mcpServerIds: [],
    workspaceIntegrationIds: [],
    integrationNames: [],
    integrationAliases: [],
    actionNames: [],
    connectionStrategies: [],
    endUserMode: 'any',
    decision: 'require_approval',
    riskMode: 'rules',
    rules: {},
    ...fields,
  };
}

export function callOf(fields: Partial<PolicyCall> = {}): PolicyCall {
  return {
    workspaceId: 'w1',
    source: 'rest',
    integrationName: 'slack',
    integrationAlias: 'chat',
    actionName: 'send_message',
    category: 'send',
    connectionStrategy: 'per_user',
    input: {},
    recipients: ['to'],
    ...fields,
  };
}
