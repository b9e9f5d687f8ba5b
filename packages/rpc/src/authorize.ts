import { type ErrorCode, type Grant, type ServiceName } from '@drawbridge/contracts';
import { type Caller } from './context.js';

/** On what terms an RPC is answered, as its proto says. */
export interface Access {
  callers: readonly ServiceName[];
  grant: Grant;
  /** Where its workspace stands in the request. Absent: it is about the caller's organization. */
  workspace?: { path: readonly string[]; isOptional: boolean };
}

export type Refusal = Extract<ErrorCode, 'UNAUTHENTICATED' | 'FORBIDDEN' | 'VALIDATION_ERROR'>;

/** May this caller do it, in this workspace? Why not, or undefined. What it does not know it refuses. */
export function authorize(
  { grant, workspace }: Pick<Access, 'grant' | 'workspace'>,
  who: Caller | undefined,
  workspaceId: string | undefined,
): Refusal | undefined {
  if (grant !== 'none' && !who?.orgId) return 'UNAUTHENTICATED';
  if (!isGranted(grant, who?.permissions)) return 'FORBIDDEN';
  if (workspace && !workspace.isOptional && !workspaceId) return 'VALIDATION_ERROR';
  return undefined;
}

/** Do these permissions hold the grant? Those that say nothing that is known hold none. */
export function isGranted(grant: Grant, permissions: Caller['permissions'] | undefined): boolean {
  switch (grant) {
    case 'none':
      return true;
    case 'org':
      return permissions?.scope === 'org';
    case 'approvals.decide':
      return permissions?.scope === 'org' && permissions.approvals?.decide === true;
    default:
      grant satisfies never;
      return false;
  }
}

/** The id of the workspace that a request is about; an empty one is none. */
export function workspaceOf(request: unknown, { workspace }: Pick<Access, 'workspace'>): string | undefined {
  if (!workspace) return undefined;
  let value = request;
  for (const key of workspace.path) value = (value as Record<string, unknown> | undefined)?.[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
