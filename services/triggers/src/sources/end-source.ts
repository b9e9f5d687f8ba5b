import { type Outbox } from '@drawbridge/events';
import { type Prisma, type Source } from '../gen/prisma/client.js';

/**
 * Disables a source in a transaction, for a user's request. Once it commits, no endpoint shows the source and no event is recorded for it; soon
 * after, it is unregistered at the provider. Returns false if it was disabled already.
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
