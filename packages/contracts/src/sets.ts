/** The closed sets of the contract. A set is a plain string in the protos and in the rows; its union lives here alone. */

/** Of a member in the organization; who is invited, and a workspace's members, are no owners. */
export const ROLES = ['owner', 'admin', 'member'] as const;
export type Role = (typeof ROLES)[number];
export type InvitedRole = 'admin' | 'member';

/** Why something is suspended: somebody asked for it, or the plan allows no more. */
export type SuspensionReason = 'request' | 'plan';

export type ConnectionType = 'SECRET_TEXT' | 'BASIC_AUTH' | 'CUSTOM_AUTH' | 'OAUTH2' | 'PLATFORM_OAUTH2';
export type ConnectionScope = 'ORGANIZATION' | 'WORKSPACE' | 'USER';
export const CONNECTION_STRATEGIES = ['fixed', 'per_user', 'per_user_with_fallback'] as const;
export type ConnectionStrategy = (typeof CONNECTION_STRATEGIES)[number];

/** Which door an execution came through. `rest`, `sdk` and `playground` may be claimed by a caller, the others not. */
export const EXECUTION_SOURCES = ['rest', 'sdk', 'playground', 'mcp_tools', 'mcp_code', 'trigger'] as const;
export type ExecutionSource = (typeof EXECUTION_SOURCES)[number];

/** What an integration is for, as a catalog sorts them. */
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
