import { type Prisma } from '../gen/prisma/client.js';

/**
 * Marks a user's address as verified. If it was not before, another person may have chosen the password: the password and all sessions are deleted.
 * Returns whether there was a password.
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
