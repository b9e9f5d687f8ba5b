import { type Prisma } from '../gen/prisma/client.js';

/**
 * Somebody has shown that the user's address is theirs. When that is new, whoever chose the password before may have been
 * somebody else: it goes, and every session with it. Returns whether one went.
 */
export async function proveEmail(tx: Prisma.TransactionClient, userId: string): Promise<boolean> {
  const { count } = await tx.user.updateMany({
    where: { id: userId, emailVerified: false },
    data: { emailVerified: true },
  });
  if (count === 0) return false;
  const removed = await tx.account.deleteMany({ where: { userId, providerId: 'credential' } });
  await tx.session.deleteMany({ where: { userId } });
  return removed.count > 0;
}
