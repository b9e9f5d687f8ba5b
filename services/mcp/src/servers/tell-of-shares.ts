import { type Outbox } from '@drawbridge/events';
import { type Prisma } from '../gen/prisma/client.js';

interface Holder {
  orgId: string;
  shareId: string | null;
}

/** Records that a permission is in use, and that the previous one is not, in the transaction of the change. */
export async function tellOfShares(
  tx: Prisma.TransactionClient,
  outbox: Outbox,
  { before, now }: { before: Holder | null; now: Holder | null },
): Promise<void> {
  if (before?.shareId === now?.shareId) return;
  if (before?.shareId) {
    const value = { shareId: before.shareId };
    await outbox.add(tx, { $case: 'bearerWithdrawn', value }, before.orgId);
  }
  if (now?.shareId) await outbox.add(tx, { $case: 'bearerShared', value: { shareId: now.shareId } }, now.orgId);
}
