import { GRANTS, invalid, isReading } from '@drawbridge/contracts';
import { type Permissions } from '@drawbridge/proto/drawbridge/members/v1/api_keys';
import { caller, isGranted, isWithin } from '@drawbridge/rpc';
import { type PrismaClient as Db } from './gen/prisma/client.js';

/** Maximum number of workspaces in the permissions of a key, because every call between services contains them in a header. */
const MAX_WORKSPACES = 100;

/**
 * Validates permissions and returns them as a key stores them: without duplicates, with ids in lower case. Throws VALIDATION_ERROR if they contradict
 * each other or contain a workspace of another organization. Does not check whether the caller may grant them.
 */
export async function requirePermissions(db: Pick<Db, 'workspace'>, wanted: Permissions): Promise<Permissions> {
  const problems = permissionProblems(wanted);
  if (Object.keys(problems).length > 0) throw invalid(problems);
  await requireWorkspaces(db, caller().orgId, wanted.workspaceIds ?? []);
  return toStored(wanted);
}

/** Returns the problems of permissions, by field, without reading the database. */
export function permissionProblems({ scope, workspaceIds, grants = [] }: Permissions): Record<string, string> {
  const unknown = grants.flatMap((grant, index): [string, string][] =>
    GRANTS.some((one) => one === grant)
      ? []
      : [[`permissions.grants[${index}]`, `must be one of ${GRANTS.join(', ')}`]],
  );
  const places = workspaceProblem(scope, workspaceIds?.length);
  return {
    ...Object.fromEntries(unknown),
    ...(places && { 'permissions.workspaceIds': places }),
    ...(scope !== 'org' && scope !== 'workspace' && { 'permissions.scope': 'must be one of org, workspace' }),
  };
}

function workspaceProblem(scope: string, count: number | undefined): string | undefined {
  if (scope === 'org') return count === undefined ? undefined : 'must be left out with scope org';
  if (!count) return 'must name at least one workspace';
  return count > MAX_WORKSPACES ? `must name at most ${MAX_WORKSPACES} workspaces` : undefined;
}

function toStored({ scope, approvals, workspaceIds, grants }: Permissions): Permissions {
  return {
    scope,
    approvals,
    workspaceIds: workspaceIds && [...new Set(workspaceIds.map((id) => id.toLowerCase()))],
    grants: grants && [...new Set(grants)],
  };
}

async function requireWorkspaces(db: Pick<Db, 'workspace'>, orgId: string, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  const rows = await db.workspace.findMany({ where: { orgId, id: { in: ids } }, select: { id: true } });
  const known = new Set(rows.map(({ id }) => id));
  const missing = ids.flatMap((id, index): [string, string][] =>
    known.has(id.toLowerCase()) ? [] : [[`permissions.workspaceIds[${index}]`, `workspace ${id} not found`]],
  );
  if (missing.length > 0) throw invalid(Object.fromEntries(missing));
}

/** Returns the effective permissions of a key: its granted permissions, limited to the current permissions of its user. */
export function permissionsOfKey(given: Permissions, role: string): Permissions {
  const own = permissionsOfRole(role);
  if (isWithin(given, own)) return given;
  return {
    ...given,
    scope: own.scope && given.scope,
    approvals: { decide: isGranted('approvals.decide', given) && isGranted('approvals.decide', own) },
    grants: GRANTS.filter((grant) => isGranted(grant, given) && isGranted(grant, own)),
  };
}

/** Returns the permissions of a role in an organization. An unknown role has no permissions. */
export function permissionsOfRole(role: string | undefined): Permissions {
  switch (role) {
    case 'owner':
    case 'admin':
      return { scope: 'org', approvals: { decide: true } };
    case 'member':
      return { scope: 'org', grants: GRANTS.filter((grant) => isReading(grant) || grant === 'actions.execute') };
    default:
      return { scope: '' };
  }
}
