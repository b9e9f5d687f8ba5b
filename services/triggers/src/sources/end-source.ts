import { type Outbox } from '@drawbridge/events';
import { type Prisma, type Source } from '../gen/prisma/client.js';

/**
 * In a transaction, for who asked for it: from its commit on no door shows the source and nothing is told to it, and soon after it is ended
 * at the third party. False where it was disabled already.
 */
export async function endSource(
  tx: Prisma.TransactionClient,
  outbox: Pick<Outbox, 'add'>,
  { id, orgId, workspaceId, integrationName, triggerName, userId }: Source,
): Promise<boolean> {
  const now = new Date();
  const { count } = await tx.source.updateMany({
    where: { id, orgId, status: 'enabled' },
    data: { status: 'disabling', suspendedAt: now, updatedAt: now },
  });
  if (count === 0) return false;
  const value = { triggerSourceId: id, workspaceId, integrationName, triggerName, userId, reason: 'request' };
  await outbox.add(tx, { $case: 'triggerDisabled', value }, orgId);
  return true;
}
