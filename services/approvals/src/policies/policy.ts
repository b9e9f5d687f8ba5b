import { type ConnectionStrategy, type ExecutionSource } from '@drawbridge/contracts';
import { type Category, type JsonObject } from '@drawbridge/piece-kit';

export type Decision = 'block' | 'require_approval' | 'notify_only' | 'auto_approve';
export type RiskMode = 'rules' | 'always' | 'model_assisted';
export type EndUserMode = 'any' | 'end_user_present' | 'no_end_user';

/** The rules of a policy. One matching rule is enough for the policy to match. An absent or empty list has no effect. */
export interface Rules {
  actionCategories?: readonly string[];
  amountThresholds?: readonly { path: string; gt: number }[];
  recipientAllowlist?: readonly string[];
  recipientDenylist?: readonly string[];
  domainAllowlist?: readonly string[];
  domainDenylist?: readonly string[];
  storagePathPrefixes?: readonly string[];
}

/** The fields of a policy that the evaluation reads. An empty filter matches every value. */
export interface Policy {
  id: string;
  /** Null if the policy applies to the whole organization. */
  workspaceId: string | null;
  name: string;
  enabled: boolean;
  priority: number;
  sources: readonly string[];
  mcpServerIds: readonly string[];
  workspaceIntegrationIds: readonly string[];
  integrationNames: readonly string[];
  integrationAliases: readonly string[];
  actionNames: readonly string[];
  connectionStrategies: readonly string[];
  endUserMode: EndUserMode;
  decision: Decision;
  riskMode: RiskMode;
  rules: Rules;
}

/** A call, with the fields that policies match. The input is the final input, with settings and partials (stored parts of inputs) merged in. */
export interface PolicyCall {
  workspaceId?: string;
  source: ExecutionSource;
  integrationName?: string;
  workspaceIntegrationId?: string;
  integrationAlias?: string;
  /** The alias that the call used, if it differs from the alias of the configured integration. An MCP tool can have an alias of its own. */
  calledAlias?: string;
  actionName?: string;
  /** Absent if the category of the action is unknown. */
  category?: Category;
  /** How the configured integration selects its connection. Absent if the call itself names the connection, which counts as `fixed`. */
  connectionStrategy?: ConnectionStrategy;
  endUserId?: string;
  mcpServerId?: string;
  input: JsonObject;
  /** The input fields that the action declares as recipients. */
  recipients: readonly string[];
}
