import { type IdentifiedEndUser, type IdentifyEndUserRequest } from '@drawbridge/proto/drawbridge/connections/v1/vault';
import { caller } from '@drawbridge/rpc';
import { type Db } from './database.js';

/** Asked anew for each run: who was deleted a moment ago is nobody. */
export async function identifyEndUser(
  db: Pick<Db, 'endUser'>,
  { workspaceId, externalId }: IdentifyEndUserRequest,
): Promise<IdentifiedEndUser> {
  const where = { orgId: caller().orgId, workspaceId, externalId };
  return { endUserId: (await db.endUser.findFirst({ where, select: { id: true } }))?.id };
}
