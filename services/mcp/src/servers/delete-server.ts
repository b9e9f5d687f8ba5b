import { type Deleted } from '@drawbridge/proto/drawbridge/fields/v1/fields';
import { findServer } from './find-server.js';
import { lockServer } from './lock-server.js';
import { type ServerParts } from './server-parts.js';
import { tellOfShares } from './tell-of-shares.js';
import { changeOf } from './to-server.js';

/** Throws NOT_FOUND, and FORBIDDEN in a suspended workspace. A suspended server can be deleted. */
export async function deleteServer(parts: ServerParts, id: string): Promise<Deleted> {
  const { db, outbox, sharing, requireWorkspaceNow } = parts;
  const { workspaceId } = await findServer(db, id);
  await requireWorkspaceNow(workspaceId);
  const { shareId } = await db.$transaction(async (tx) => {
    const before = await lockServer(tx, id);
    await tx.server.deleteMany({ where: { id, orgId: before.orgId } });
    await tellOfShares(tx, outbox, { before, now: null });
    await outbox.record(tx, changeOf(before));
    return before;
  });
  await sharing.withdraw(workspaceId, shareId);
  return { deleted: true, id };
}
