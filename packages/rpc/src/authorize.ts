import {
  type ErrorCode,
  GRANTS,
  isReading,
  type Need,
  NEEDS,
  type Role,
  type ServiceName,
} from '@drawbridge/contracts';
import { ACCESS } from '@drawbridge/proto/drawbridge/access';
import { type Permissions } from '@drawbridge/proto/drawbridge/members/v1/api_keys';
import { type Caller } from './context.js';

const EVERY_GRANT = new Set<Need>(GRANTS);

/** The access terms of an RPC, as its proto declares them. */
export interface Access {
  callers: readonly ServiceName[];
  grant: Need;
  /** The path of the workspace id in the request. */
  workspace?: { path: readonly string[]; isOptional: boolean };
  /**
   * Set if the workspace is known only after the RPC has read its rows. An RPC with neither `workspace` nor `row` concerns the caller's organization.
   */
  row?: boolean;
  /** Set if a person without the grant may also call the RPC when the row names that person, for example as an approver. */
  orNamed?: boolean;
  /** Set if the session of a person without an organization may also call the RPC. */
  withoutOrganization?: boolean;
  /** The action name in the audit log. */
  action: string;
  /** Set if every successful call is recorded in the audit log. Otherwise the audit log contains only denied calls. */
  isRecorded?: boolean;
  /** Set if a repeated call changes nothing, so that a caller may retry when it received no response. */
  isRepeatable?: boolean;
}

type Terms = Pick<Access, 'grant' | 'workspace' | 'row' | 'orNamed' | 'withoutOrganization'>;

export type Refusal = Extract<ErrorCode, 'UNAUTHENTICATED' | 'FORBIDDEN' | 'VALIDATION_ERROR' | 'SCOPE_DENIED'>;

/** Returns the reason why the caller may not use the RPC in this workspace, or undefined if it may. Unknown scopes and permissions are denied. */
export function authorize(
  { grant, workspace, row, orNamed, withoutOrganization }: Terms,
  who: Caller | undefined,
  workspaceId: string | undefined,
): Refusal | undefined {
  if (grant === 'none') return undefined;
  if (withoutOrganization && who?.sessionId && !who.orgId) return undefined;
  if (!who?.orgId) return 'UNAUTHENTICATED';
  const isPerson = who.sessionId !== undefined;
  if (!isGranted(orNamed && isPerson ? 'any' : grant, who.permissions)) return 'FORBIDDEN';
  if (workspace && !workspace.isOptional && !workspaceId) return 'VALIDATION_ERROR';
  return row || isInScope(grant, who.permissions, workspaceId) ? undefined : 'SCOPE_DENIED';
}

/** Returns whether the permissions include the permission that an RPC requires. Unknown permissions grant nothing. */
export function isGranted(need: Need, permissions: Permissions | undefined): boolean {
  if (need === 'none') return true;
  if (!permissions || !isScope(permissions)) return false;
  if (need === 'any') return true;
  if (need === 'approvals.decide') return permissions.approvals?.decide === true;
  const { grants } = permissions;
  if (grants === undefined) return EVERY_GRANT.has(need);
  return grants.includes(need) || grants.includes(need.replace(/\.read$/, '.write'));
}

/** Returns whether the permissions apply to this workspace or, without one, to resources of the organization itself. */
export function isInScope(need: Need, permissions: Permissions, workspaceId: string | undefined): boolean {
  if (permissions.scope === 'org') return true;
  if (permissions.scope !== 'workspace') return false;
  if (workspaceId === undefined) return isReading(need);
  return permissions.workspaceIds?.includes(workspaceId.toLowerCase()) ?? false;
}

/** Returns whether `own` includes every permission of `wanted`, in every workspace to which `wanted` applies. */
export function isWithin(wanted: Permissions, own: Permissions): boolean {
  const places = wanted.scope === 'org' ? [undefined] : (wanted.workspaceIds ?? []);
  const isReached =
    own.scope === 'org' || (wanted.scope !== 'org' && places.every((place) => isInScope('any', own, place)));
  return isReached && NEEDS.every((need) => !isGranted(need, wanted) || isGranted(need, own));
}

function isScope({ scope, workspaceIds }: Permissions): boolean {
  return scope === 'org' || (scope === 'workspace' && (workspaceIds?.length ?? 0) > 0);
}

/** Returns the workspace id in the request, or undefined if it is absent or empty. */
export function workspaceOf(request: unknown, { workspace }: Pick<Access, 'workspace'>): string | undefined {
  if (!workspace) return undefined;
  let value = request;
  for (const key of workspace.path) value = (value as Record<string, unknown> | undefined)?.[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Access terms of each RPC. The keys are the full name of the service and the name of the method. */
export const ACCESS_TABLE: { readonly [service: string]: { readonly [method: string]: Access } } = ACCESS;

const RANKS: Record<Role, number> = { owner: 3, admin: 2, member: 1 };

/** The permissions, role and expiry of a person or an API key, or those that a caller wants to grant. */
export interface Authority {
  permissions: Permissions;
  /** The role of the person, or of the person on behalf of which the key acts. Owners may perform operations that no permission grants. */
  role: string | undefined;
  /** The time at which the key expires, or null if it never does. Absent for a person. */
  until?: Date | null;
}

/**
 * Returns whether the granted authority exceeds the grantor's authority in no respect: permissions, role and expiry. An unknown role always exceeds
 * it.
 */
export function isNoMore(handed: Authority, own: Authority): boolean {
  return (
    isWithin(handed.permissions, own.permissions) &&
    rankOf(handed.role, Infinity) <= rankOf(own.role, 0) &&
    endsBy(handed.until, own.until)
  );
}

function rankOf(role: string | undefined, unknown: number): number {
  return Object.entries(RANKS).find(([name]) => name === role)?.[1] ?? unknown;
}

function endsBy(handed: Authority['until'], own: Authority['until']): boolean {
  return handed === undefined || !own || (handed !== null && handed <= own);
}
