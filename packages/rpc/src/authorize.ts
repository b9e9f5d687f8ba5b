import { type ErrorCode, GRANTS, isReading, type Need, NEEDS, type ServiceName } from '@drawbridge/contracts';
import { type Permissions } from '@drawbridge/proto/drawbridge/members/v1/api_keys';
import { type Caller } from './context.js';

const EVERY_GRANT = new Set<Need>(GRANTS);

/** On what terms an RPC is answered, as its proto says. */
export interface Access {
  callers: readonly ServiceName[];
  grant: Need;
  /** Where its workspace stands in the request. */
  workspace?: { path: readonly string[]; isOptional: boolean };
  /** What it is about is known when its rows are read. Neither: it is about the caller's organization. */
  row?: boolean;
  /** It answers a person without that grant too, whom its row names. */
  orNamed?: boolean;
  /** It answers the session of a person who belongs to no organization, too. */
  withoutOrganization?: boolean;
  /** What the audit log calls it. */
  action: string;
  /** Each call that was answered is there; else who was refused alone. */
  isRecorded?: boolean;
  /** A second time changes nothing: who lost its answer asks again. */
  isRepeatable?: boolean;
}

type Terms = Pick<Access, 'grant' | 'workspace' | 'row' | 'orNamed' | 'withoutOrganization'>;

export type Refusal = Extract<ErrorCode, 'UNAUTHENTICATED' | 'FORBIDDEN' | 'VALIDATION_ERROR' | 'SCOPE_DENIED'>;

/** May this caller do it, in this workspace? Why not, or undefined. What it does not know it refuses. */
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

/** Do these permissions hold what is needed? Those that say nothing that is known hold nothing. */
export function isGranted(need: Need, permissions: Permissions | undefined): boolean {
  if (need === 'none') return true;
  if (!permissions || !isScope(permissions)) return false;
  if (need === 'any') return true;
  if (need === 'approvals.decide') return permissions.approvals?.decide === true;
  const { grants } = permissions;
  if (grants === undefined) return EVERY_GRANT.has(need);
  return grants.includes(need) || grants.includes(need.replace(/\.read$/, '.write'));
}

/** Where may they do it: in this workspace, or, without one, with what is the organization's own? */
export function isInScope(need: Need, permissions: Permissions, workspaceId: string | undefined): boolean {
  if (permissions.scope === 'org') return true;
  if (permissions.scope !== 'workspace') return false;
  if (workspaceId === undefined) return isReading(need);
  return permissions.workspaceIds?.includes(workspaceId.toLowerCase()) ?? false;
}

/** Do these permissions hold all that the others do, everywhere that those do? */
export function isWithin(wanted: Permissions, own: Permissions): boolean {
  const places = wanted.scope === 'org' ? [undefined] : (wanted.workspaceIds ?? []);
  const isReached =
    own.scope === 'org' || (wanted.scope !== 'org' && places.every((place) => isInScope('any', own, place)));
  return isReached && NEEDS.every((need) => !isGranted(need, wanted) || isGranted(need, own));
}

function isScope({ scope, workspaceIds }: Permissions): boolean {
  return scope === 'org' || (scope === 'workspace' && (workspaceIds?.length ?? 0) > 0);
}

/** The id of the workspace that a request is about; an empty one is none. */
export function workspaceOf(request: unknown, { workspace }: Pick<Access, 'workspace'>): string | undefined {
  if (!workspace) return undefined;
  let value = request;
  for (const key of workspace.path) value = (value as Record<string, unknown> | undefined)?.[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
