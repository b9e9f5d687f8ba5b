/** The closed sets of values in the public API. Protos and rows contain them as plain strings, so the union types are defined only in this file. */

/** Roles of an organization's members. People who are invited, and members of a workspace, cannot be owners. */
export const ROLES = ['owner', 'admin', 'member'] as const;
export type Role = (typeof ROLES)[number];
export type InvitedRole = 'admin' | 'member';

/** The reason for the suspension of a resource: a request, or a limit of the plan. */
export type SuspensionReason = 'request' | 'plan';

export const CONNECTION_TYPES = ['SECRET_TEXT', 'BASIC_AUTH', 'CUSTOM_AUTH', 'OAUTH2', 'PLATFORM_OAUTH2'] as const;
export type ConnectionType = (typeof CONNECTION_TYPES)[number];
export type ConnectionScope = 'ORGANIZATION' | 'WORKSPACE' | 'USER';
export const CONNECTION_STRATEGIES = ['fixed', 'per_user', 'per_user_with_fallback'] as const;
export type ConnectionStrategy = (typeof CONNECTION_STRATEGIES)[number];

/** The channel of an execution. A caller may claim `rest`, `sdk` and `playground`, but not the other channels. */
export const EXECUTION_SOURCES = ['rest', 'sdk', 'playground', 'mcp_tools', 'mcp_code', 'trigger'] as const;
export type ExecutionSource = (typeof EXECUTION_SOURCES)[number];

/** The categories into which a catalog divides integrations. */
export const INTEGRATION_CATEGORIES = [
  'ACCOUNTING',
  'ARTIFICIAL_INTELLIGENCE',
  'BUSINESS_INTELLIGENCE',
  'COMMERCE',
  'COMMUNICATION',
  'CONTENT_AND_FILES',
  'CORE',
  'CUSTOMER_SUPPORT',
  'DEVELOPER_TOOLS',
  'FORMS_AND_SURVEYS',
  'HUMAN_RESOURCES',
  'MARKETING',
  'PAYMENT_PROCESSING',
  'PRODUCTIVITY',
  'SALES_AND_CRM',
  'UTILITIES',
] as const;
export type IntegrationCategory = (typeof INTEGRATION_CATEGORIES)[number];

/** The grants of a key or a person. The `write` grant of an area includes its `read` grant. */
export const GRANTS = [
  'workspaces.read',
  'workspaces.write',
  'connections.read',
  'connections.write',
  'end_users.read',
  'end_users.write',
  'integrations.read',
  'integrations.write',
  'mcp.read',
  'mcp.write',
  'partials.read',
  'partials.write',
  'triggers.read',
  'triggers.write',
  'approvals.read',
  'approvals.write',
  'members.read',
  'members.write',
  'actions.execute',
  'api_keys.manage',
  // There is no `.read`, because everyone with a permission in the organization may see its settings.
  'organization.write',
  // Not called `.read`, because plain members of the organization and keys for single workspaces must not see the audit log.
  'audit_log.view',
] as const;
export type Grant = (typeof GRANTS)[number];

/**
 * The permission that an RPC requires: a grant, the right to decide approvals (which no grant includes), `any` for any permission, or `none` if it
 * needs no caller.
 */
export const NEEDS = ['none', 'any', ...GRANTS, 'approvals.decide'] as const;
export type Need = (typeof NEEDS)[number];

/** Returns whether the permission only allows reading. */
export function isReading(need: Need): boolean {
  return need === 'none' || need === 'any' || need.endsWith('.read');
}
