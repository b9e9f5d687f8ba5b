import { isId } from '@drawbridge/contracts';
import { type GetNamedEndUserRequest, type NamedEndUser } from '@drawbridge/proto/drawbridge/connections/v1/end_users';
import { type Db } from '../database.js';

/** An externalId may look like an id; the externalId takes precedence. */
export async function findNamed(
  db: Pick<Db, 'endUser'>,
  { orgId, placeId: workspaceId, name }: GetNamedEndUserRequest,
): Promise<NamedEndUser> {
  const select = { id: true, externalId: true };
  const called = await db.endUser.findFirst({ where: { orgId, workspaceId, externalId: name }, select });
  if (called || !isId(name)) return called ?? {};
  return (await db.endUser.findFirst({ where: { orgId, workspaceId, id: name }, select })) ?? {};
}
