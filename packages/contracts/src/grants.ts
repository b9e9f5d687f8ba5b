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
