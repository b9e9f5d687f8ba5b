import { scopeIdOf } from './connection-scope.js';
import { type Transaction } from './database.js';

interface Place {
  orgId: string;
  scope: string;
  workspaceId?: string | null;
  /** The end user's externalId. */
  endUserId?: string | null;
}

export interface ConnectionOwner {
  /** The scope within which its externalId is unique. */
  scopeId: string;
  endUserRecordId?: string;
}

/** Returns the owner of a new connection. Creates the end user's record if there is none. Lock the quota before calling it. */
export async function ownerOf(
  tx: Transaction,
  { orgId, scope, workspaceId, endUserId }: Place,
): Promise<ConnectionOwner> {
  const isPerson = workspaceId && endUserId;
  const endUserRecordId = isPerson ? await recordIdOf(tx, { orgId, workspaceId, externalId: endUserId }) : undefined;
  return {
    endUserRecordId,
    scopeId: scopeIdOf(scope, { orgId, workspaceId: workspaceId ?? undefined, endUserRecordId }),
  };
}

/** Concurrent callers get the same record. */
async function recordIdOf(
  tx: Transaction,
  key: { orgId: string; workspaceId: string; externalId: string },
): Promise<string> {
  await tx.endUser.createMany({ data: key, skipDuplicates: true });
  const { id } = await tx.endUser.findFirstOrThrow({ where: key, select: { id: true } });
  return id;
}
