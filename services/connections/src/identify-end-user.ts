import { type IdentifiedEndUser, type IdentifyEndUserRequest } from '@drawbridge/proto/drawbridge/connections/v1/vault';
import { caller } from '@drawbridge/rpc';
import { type Db } from './database.js';

/** Not cached: each run must see at once that an end user was deleted. */
export async function identifyEndUser(
  db: Pick<Db, 'endUser'>,
  { workspaceId, externalId }: IdentifyEndUserRequest,
): Promise<IdentifiedEndUser> {
  const where = { orgId: caller().orgId, workspaceId, externalId };
  return { endUserId: (await db.endUser.findFirst({ where, select: { id: true } }))?.id };
}
