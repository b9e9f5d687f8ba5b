import { ApprovalPageServiceDefinition } from '@drawbridge/proto/drawbridge/approvals/v1/pages';
import { PolicyServiceDefinition } from '@drawbridge/proto/drawbridge/approvals/v1/policies';
import { ApprovalServiceDefinition } from '@drawbridge/proto/drawbridge/approvals/v1/requests';
import { PartialServiceDefinition } from '@drawbridge/proto/drawbridge/catalog/v1/input_partials';
import { IntegrationServiceDefinition } from '@drawbridge/proto/drawbridge/catalog/v1/integrations';
import { InvocationServiceDefinition } from '@drawbridge/proto/drawbridge/catalog/v1/invocations';
import { ToolServiceDefinition } from '@drawbridge/proto/drawbridge/catalog/v1/tools';
import { WorkspaceIntegrationServiceDefinition } from '@drawbridge/proto/drawbridge/catalog/v1/workspace_integrations';
import { ConnectPageServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/connect_pages';
import { ConnectSessionServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/connect_sessions';
import { ConnectionServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/connections';
import { EndUserServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/end_users';
import { IdentityServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/identities';
import { OAuthAppServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/oauth_apps';
import { PortalServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/portal';
import { WebhookSecretServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/webhook_secrets';
import { ActionServiceDefinition } from '@drawbridge/proto/drawbridge/execution/v1/actions';
import { CodeRunServiceDefinition } from '@drawbridge/proto/drawbridge/execution/v1/code_runs';
import { ExecutionServiceDefinition } from '@drawbridge/proto/drawbridge/execution/v1/executions';
import { PropertyServiceDefinition } from '@drawbridge/proto/drawbridge/execution/v1/properties';
import { McpAccessServiceDefinition } from '@drawbridge/proto/drawbridge/mcp/v1/access';
import { McpCodeServiceDefinition } from '@drawbridge/proto/drawbridge/mcp/v1/code';
import { McpOAuthServiceDefinition } from '@drawbridge/proto/drawbridge/mcp/v1/oauth';
import { McpServerServiceDefinition } from '@drawbridge/proto/drawbridge/mcp/v1/servers';
import { McpTokenServiceDefinition } from '@drawbridge/proto/drawbridge/mcp/v1/tokens';
import { McpToolServiceDefinition } from '@drawbridge/proto/drawbridge/mcp/v1/tools';
import { AccountServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/accounts';
import {
  ApiKeyServiceDefinition,
  KeyVerificationServiceDefinition,
} from '@drawbridge/proto/drawbridge/members/v1/api_keys';
import { AuditLogServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/audit_log';
import { InvitationServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/invitations';
import { MemberServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/members';
import { OrganizationServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/organizations';
import { SessionServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/sessions';
import { SignInLinkServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/sign_in_links';
import { SignInProviderServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/sign_in_providers';
import { SignUpServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/sign_up';
import { WorkspaceMemberServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/workspace_members';
import { WorkspaceServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/workspaces';
import { TriggerDeliveryServiceDefinition } from '@drawbridge/proto/drawbridge/triggers/v1/deliveries';
import { HookServiceDefinition } from '@drawbridge/proto/drawbridge/triggers/v1/hooks';
import { TriggerServiceDefinition } from '@drawbridge/proto/drawbridge/triggers/v1/sources';
import { ApiError, type ErrorCode } from '@drawbridge/contracts';
import { type Network } from '@drawbridge/rpc';

export type Clients = ReturnType<typeof openClients>;

/** Opens a client for each RPC service that the gateway calls. */
export function openClients(network: Network) {
  return {
    accounts: network.client('members', AccountServiceDefinition),
    apiKeys: network.client('members', ApiKeyServiceDefinition),
    approvalPages: network.client('approvals', ApprovalPageServiceDefinition),
    approvals: network.client('approvals', ApprovalServiceDefinition),
    approvalPolicies: network.client('approvals', PolicyServiceDefinition),
    auditLog: network.client('members', AuditLogServiceDefinition),
    connectPages: network.client('connections', ConnectPageServiceDefinition),
    connectSessions: network.client('connections', ConnectSessionServiceDefinition),
    connections: network.client('connections', ConnectionServiceDefinition),
    endUsers: network.client('connections', EndUserServiceDefinition),
    identities: network.client('connections', IdentityServiceDefinition),
    hooks: network.client('triggers', HookServiceDefinition),
    integrations: network.client('catalog', IntegrationServiceDefinition),
    invitations: network.client('members', InvitationServiceDefinition),
    invocations: network.client('catalog', InvocationServiceDefinition),
    keys: network.client('members', KeyVerificationServiceDefinition),
    oauthApps: network.client('connections', OAuthAppServiceDefinition),
    ...executionClients(network),
    ...mcpClients(network),
    members: network.client('members', MemberServiceDefinition),
    organizations: network.client('members', OrganizationServiceDefinition),
    partials: network.client('catalog', PartialServiceDefinition),
    portals: network.client('connections', PortalServiceDefinition),
    sessions: network.client('members', SessionServiceDefinition),
    signInLinks: network.client('members', SignInLinkServiceDefinition),
    signInProviders: network.client('members', SignInProviderServiceDefinition),
    signUps: network.client('members', SignUpServiceDefinition),
    toolDescriptions: network.client('catalog', ToolServiceDefinition),
    triggerDeliveries: network.client('triggers', TriggerDeliveryServiceDefinition),
    triggers: network.client('triggers', TriggerServiceDefinition),
    webhookSecrets: network.client('connections', WebhookSecretServiceDefinition),
    workspaceIntegrations: network.client('catalog', WorkspaceIntegrationServiceDefinition),
    workspaceMembers: network.client('members', WorkspaceMemberServiceDefinition),
    workspaces: network.client('members', WorkspaceServiceDefinition),
  };
}

function executionClients(network: Network) {
  return {
    actions: network.client('execution', ActionServiceDefinition),
    codeRuns: network.client('execution', CodeRunServiceDefinition),
    executions: network.client('execution', ExecutionServiceDefinition),
    properties: network.client('execution', PropertyServiceDefinition),
  };
}

function mcpClients(network: Network) {
  return {
    mcpAccess: network.client('mcp', McpAccessServiceDefinition),
    mcpCode: network.client('mcp', McpCodeServiceDefinition),
    mcpOAuth: network.client('mcp', McpOAuthServiceDefinition),
    mcpServers: network.client('mcp', McpServerServiceDefinition),
    mcpTokens: network.client('mcp', McpTokenServiceDefinition),
    mcpTools: network.client('mcp', McpToolServiceDefinition),
  };
}

/**
 * Timeout of calls that read from a provider. It exceeds the timeout of the provider (10 s) plus the refresh of an expired token, so that the service
 * can report which of these failed.
 */
export const LOOKUP = { timeoutMs: 75_000 };

/** Returns a function for `catch` that returns undefined for errors with these codes and rethrows all others. */
export function unless(...codes: ErrorCode[]): (error: unknown) => undefined {
  return (error) => {
    if (error instanceof ApiError && codes.includes(error.code)) return undefined;
    throw error;
  };
}
