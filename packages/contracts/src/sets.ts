/** The closed sets of the contract. The protos and rows use plain strings; only this file defines the unions. */

/** Roles of an organization's members. Invited people and members of a workspace cannot be owners. */
export const ROLES = ['owner', 'admin', 'member'] as const;
export type Role = (typeof ROLES)[number];
export type InvitedRole = 'admin' | 'member';

/** Why a resource is suspended: on request, or because the plan allows no more. */
export type SuspensionReason = 'request' | 'plan';

export const CONNECTION_TYPES = ['SECRET_TEXT', 'BASIC_AUTH', 'CUSTOM_AUTH', 'OAUTH2', 'PLATFORM_OAUTH2'] as const;
export type ConnectionType = (typeof CONNECTION_TYPES)[number];
export type ConnectionScope = 'ORGANIZATION' | 'WORKSPACE' | 'USER';
export const CONNECTION_STRATEGIES = ['fixed', 'per_user', 'per_user_with_fallback'] as const;
export type ConnectionStrategy = (typeof CONNECTION_STRATEGIES)[number];

/** The channel of an execution. A caller may claim `rest`, `sdk` and `playground`, but not the others. */
export const EXECUTION_SOURCES = ['rest', 'sdk', 'playground', 'mcp_tools', 'mcp_code', 'trigger'] as const;
export type ExecutionSource = (typeof EXECUTION_SOURCES)[number];

/** The categories by which a catalog sorts integrations. */
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

/** The grants of a key or a person. The `write` of an area includes its `read`. */
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
  // No `.read`: everyone with a permission in the organization may see its settings.
  'organization.write',
  // Not `.read`: plain members of the organization and keys of single workspaces must not see the audit log.
  'audit_log.view',
] as const;
export type Grant = (typeof GRANTS)[number];

/**
 * The permission that an RPC requires: a grant, the right to decide approvals (which no grant includes), `any` permissions, or `none`: no caller at
 * all.
 */
export const NEEDS = ['none', 'any', ...GRANTS, 'approvals.decide'] as const;
export type Need = (typeof NEEDS)[number];

/** Returns whether the need only reads. */
export function isReading(need: Need): boolean {
  return need === 'none' || need === 'any' || need.endsWith('.read');
}
