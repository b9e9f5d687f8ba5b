/** What a key or a person can be granted. `write` of an area holds its `read`. */
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
  // No `.read`: whoever may do anything in the organization is shown what it is.
  'organization.write',
  // No `.read`: neither who merely belongs to the organization nor a key of single workspaces is shown who did what.
  'audit_log.view',
] as const;
export type Grant = (typeof GRANTS)[number];

/**
 * What an RPC asks of the caller behind it: a grant; the right to decide approvals, which no grant holds; `any`: permissions
 * of whatever kind; `none`: nobody need be behind it.
 */
export const NEEDS = ['none', 'any', ...GRANTS, 'approvals.decide'] as const;
export type Need = (typeof NEEDS)[number];

/** Is nothing changed by what needs this? */
export function isReading(need: Need): boolean {
  return need === 'none' || need === 'any' || need.endsWith('.read');
}
