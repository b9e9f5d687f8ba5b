import { type Prisma } from './gen/prisma/client.js';

/** Ends what a user who is no longer a member could call with: it belongs into the transaction that removes them. */
export async function revokeAccess(
  tx: Prisma.TransactionClient,
  { orgId, userId }: { orgId: string; userId: string },
): Promise<void> {
  await tx.apiKey.updateMany({ where: { orgId, userId, revokedAt: null }, data: { revokedAt: new Date() } });
  await tx.session.deleteMany({ where: { userId, activeOrgId: orgId } });
}
