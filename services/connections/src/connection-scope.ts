import { type ConnectionScope } from '@drawbridge/contracts';
import { type Transaction } from './database.js';

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

/** Returns the problems of a scope and its owner, by field. */
export function scopeProblems({ scope = DEFAULT_SCOPE, ...owner }: RequestedScope): Record<string, string> {
  if (!isScope(scope)) return { scope: `must be one of ${Object.keys(NEEDS).join(', ')}` };
  const missing = NEEDS[scope].filter((key) => !owner[key]);
  return Object.fromEntries(missing.map((key) => [key, `is required for scope ${scope}`]));
}

/** Returns the id within which an externalId is unique: the id of the organization, the workspace or the record of the end user. */
export function scopeIdOf(
  scope: string,
  { orgId, workspaceId, endUserRecordId }: { orgId: string; workspaceId?: string | null; endUserRecordId?: string },
): string {
  const id = scope === 'USER' ? endUserRecordId : scope === 'WORKSPACE' ? workspaceId : orgId;
  if (!id) throw new Error(`A connection of scope ${scope} needs an owner`);
  return id;
}

function isScope(text: string): text is ConnectionScope {
  return Object.hasOwn(NEEDS, text);
}

/** Returns the workspace in which a connection is available, or null for a connection of the organization, which all workspaces can use. */
export function placeOf({ scope, workspaceId }: { scope: string; workspaceId?: string | null }): string | null {
  return scope === 'ORGANIZATION' ? null : (workspaceId ?? null);
}

interface Place {
  orgId: string;
  scope: string;
  workspaceId?: string | null;
  /** The end user's externalId. */
  endUserId?: string | null;
}

/** Returns the owner of a new connection, and stores the end user if needed. The caller must have locked the quota before. */
export async function ownerOf(
  tx: Transaction,
  { orgId, scope, workspaceId, endUserId }: Place,
): Promise<{ scopeId: string; endUserRecordId?: string }> {
  const isPerson = workspaceId && endUserId;
  const endUserRecordId = isPerson ? await recordIdOf(tx, { orgId, workspaceId, externalId: endUserId }) : undefined;
  return { endUserRecordId, scopeId: scopeIdOf(scope, { orgId, workspaceId, endUserRecordId }) };
}

/** Returns the id of a stored end user, and creates the row if needed. Concurrent calls return the same id. */
async function recordIdOf(
  tx: Transaction,
  key: { orgId: string; workspaceId: string; externalId: string },
): Promise<string> {
  await tx.endUser.createMany({ data: key, skipDuplicates: true });
  const { id } = await tx.endUser.findFirstOrThrow({ where: key, select: { id: true } });
  return id;
}
