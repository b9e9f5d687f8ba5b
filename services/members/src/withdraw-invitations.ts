import { type Prisma } from './gen/prisma/client.js';

/**
 * Cancels the pending invitations that a user sent, including those of the user's keys; with `keyId`, only those of that key. Call it with the
 * organization locked, as accepting an invitation does. Returns a clause for the audit log, empty if there were none.
 */
export async function withdrawInvitations(
  tx: Pick<Prisma.TransactionClient, '$executeRaw'>,
  { orgId, userId, keyId = null }: { orgId: string; userId: string; keyId?: string | null },
): Promise<string> {
  const count = await tx.$executeRaw`
    UPDATE members.invitations SET status = 'canceled'
    WHERE org_id = ${orgId}::uuid AND inviter_id = ${userId}::uuid AND status = 'pending'
      AND (${keyId}::uuid IS NULL OR inviter_key_id = ${keyId}::uuid)`;
  return count === 0 ? '' : `, canceled ${count} ${count === 1 ? 'invitation' : 'invitations'}`;
}
