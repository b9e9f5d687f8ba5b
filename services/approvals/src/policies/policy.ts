import { type ConnectionStrategy, type ExecutionSource } from '@drawbridge/contracts';
import { type Category, type JsonObject } from '@drawbridge/piece-kit';

export type Decision = 'block' | 'require_approval' | 'notify_only' | 'auto_approve';
export type RiskMode = 'rules' | 'always' | 'model_assisted';
export type EndUserMode = 'any' | 'end_user_present' | 'no_end_user';

/** Alternatives: any that is true of a call is a reason. A list that is absent or empty says nothing. */
export interface Rules {
  actionCategories?: readonly string[];
  amountThresholds?: readonly { path: string; gt: number }[];
  recipientAllowlist?: readonly string[];
  recipientDenylist?: readonly string[];
  domainAllowlist?: readonly string[];
  domainDenylist?: readonly string[];
  storagePathPrefixes?: readonly string[];
}

/** What an evaluation reads of a policy. An empty filter matches everything. */
export interface Policy {
  id: string;
  /** Null: the whole organization. */
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

/** A call as policies see it: what would be sent, partials and all. */
export interface PolicyCall {
  workspaceId?: string;
  source: ExecutionSource;
  integrationName?: string;
  workspaceIntegrationId?: string;
  integrationAlias?: string;
  /** The alias under which the call came, where it is not the configured integration's: an MCP tool can have its own. */
  calledAlias?: string;
  actionName?: string;
  /** Absent: what the action does is not known. */
  category?: Category;
  /** Of the configured integration. Absent: the call names its connection itself, which is fixed. */
  connectionStrategy?: ConnectionStrategy;
  endUserId?: string;
  mcpServerId?: string;
  input: JsonObject;
  /** The fields of the input that name who receives something, as the action marks them. */
  recipients: readonly string[];
}
