import { type ConnectionScope } from '@drawbridge/contracts';

export interface RequestedScope {
  scope?: string;
  workspaceId?: string;
  endUserId?: string;
}

/** The fields that each scope requires. */
const NEEDS: Record<ConnectionScope, readonly ('workspaceId' | 'endUserId')[]> = {
  ORGANIZATION: [],
  WORKSPACE: ['workspaceId'],
  USER: ['workspaceId', 'endUserId'],
};

export const DEFAULT_SCOPE = 'ORGANIZATION';

/** Returns the problems of a scope and its owner, by key. */
export function scopeProblems({ scope = DEFAULT_SCOPE, ...owner }: RequestedScope): Record<string, string> {
  if (!isScope(scope)) return { scope: `must be one of ${Object.keys(NEEDS).join(', ')}` };
  const missing = NEEDS[scope].filter((key) => !owner[key]);
  return Object.fromEntries(missing.map((key) => [key, `is required for scope ${scope}`]));
}

/** Returns the id within which an externalId is unique: of the organization, the workspace or the end user's record. */
export function scopeIdOf(
  scope: string,
  { orgId, workspaceId, endUserRecordId }: { orgId: string; workspaceId?: string; endUserRecordId?: string },
): string {
  const id = scope === 'USER' ? endUserRecordId : scope === 'WORKSPACE' ? workspaceId : orgId;
  if (!id) throw new Error(`Scope ${scope} lacks its owner`);
  return id;
}

function isScope(text: string): text is ConnectionScope {
  return Object.hasOwn(NEEDS, text);
}

/** Returns the workspace in which a connection is available; null for a connection of the organization, wherever it was created. */
export function placeOf({ scope, workspaceId }: { scope: string; workspaceId?: string | null }): string | null {
  return scope === 'ORGANIZATION' ? null : (workspaceId ?? null);
}
