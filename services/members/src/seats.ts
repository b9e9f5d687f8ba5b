import { quotaExceeded } from '@drawbridge/contracts';
import { type Prisma } from './gen/prisma/client.js';

/**
 * Checks that a seat is free: members and open invitations each take one. Call it with the organization locked, so that two calls cannot take the
 * last one. Throws QUOTA_EXCEEDED.
 */
export async function requireSeat(tx: Prisma.TransactionClient, orgId: string, limit: number | null): Promise<void> {
  if (limit === null) return;
  const members = await tx.total.findUnique({ where: { orgId_of: { orgId, of: 'members' } } });
  const taken = (members?.rows ?? 0) + (await openInvitations(tx, orgId, limit));
  if (taken >= limit) throw quotaExceeded('members, invited ones included', { limit, used: taken });
}

/** Counts up to `atMost`, because more makes no difference. */
async function openInvitations(tx: Prisma.TransactionClient, orgId: string, atMost: number): Promise<number> {
  const [counted] = await tx.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM (
      SELECT FROM members.invitations
      WHERE org_id = ${orgId}::uuid AND status = 'pending' AND expires_at > now() LIMIT ${atMost}) open`;
  return counted?.count ?? 0;
}
