import { isId, notFound } from '@drawbridge/contracts';
import { toWire } from '@drawbridge/database';
import { type AuditedChange } from '@drawbridge/events';
import { type EndUser } from '@drawbridge/proto/drawbridge/connections/v1/end_user';
import { type GetNamedEndUserRequest, type NamedEndUser } from '@drawbridge/proto/drawbridge/connections/v1/end_users';
import { caller, requireInScope } from '@drawbridge/rpc';
import { type Db, type EndUserRow } from '../database.js';

/** Returns an end user of the caller's organization within the caller's scope. Throws NOT_FOUND and SCOPE_DENIED. */
export async function findEndUser(db: Pick<Db, 'endUser'>, id: string): Promise<EndUserRow> {
  const row = await db.endUser.findFirst({ where: { id, orgId: caller().orgId } });
  if (!row) throw notFound('End user', id);
  requireInScope(row.workspaceId);
  return row;
}

export function toEndUser(row: EndUserRow): EndUser {
  return { ...toWire(row), metadata: row.metadata as EndUser['metadata'] };
}

/**
 * Returns the attributes of an end user for an audit log entry. The audit log is never deleted, so it contains the externalId of the customer and no
 * personal data.
 */
export function changeOf({ id, externalId, workspaceId }: EndUserRow): AuditedChange {
  return { id, name: externalId, workspaceId };
}

/** Finds an end user by externalId or id. The externalId takes precedence, because customers may choose an externalId that looks like an id. */
export async function findNamed(
  db: Pick<Db, 'endUser'>,
  { orgId, placeId: workspaceId, name }: GetNamedEndUserRequest,
): Promise<NamedEndUser> {
  const select = { id: true, externalId: true };
  const called = await db.endUser.findFirst({ where: { orgId, workspaceId, externalId: name }, select });
  if (called || !isId(name)) return called ?? {};
  return (await db.endUser.findFirst({ where: { orgId, workspaceId, id: name }, select })) ?? {};
}
