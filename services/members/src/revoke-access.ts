import { type Prisma } from './gen/prisma/client.js';

/** Revokes the keys and sessions of a user who is no longer a member. Call it in the transaction that removes the user. */
export async function revokeAccess(
  tx: Prisma.TransactionClient,
  { orgId, userId }: { orgId: string; userId: string },
): Promise<void> {
  await tx.apiKey.updateMany({ where: { orgId, userId, revokedAt: null }, data: { revokedAt: new Date() } });
  await tx.session.deleteMany({ where: { userId, activeOrgId: orgId } });
}
