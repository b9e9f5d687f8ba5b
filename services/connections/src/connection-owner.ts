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
  /** Within what its externalId is unique. */
  scopeId: string;
  endUserRecordId?: string;
}

/** Whose a connection is that is made there, with the end user's record, made if there is none. The quota is locked before. */
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

/** Racing callers get the same one. */
async function recordIdOf(
  tx: Transaction,
  key: { orgId: string; workspaceId: string; externalId: string },
): Promise<string> {
  await tx.endUser.createMany({ data: key, skipDuplicates: true });
  const { id } = await tx.endUser.findFirstOrThrow({ where: key, select: { id: true } });
  return id;
}
