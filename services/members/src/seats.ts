import { quotaExceeded } from '@drawbridge/contracts';
import { type Prisma } from './gen/prisma/client.js';

/**
 * Members and open invitations each take a seat of the plan. Call it with the organization locked: then two can't take the
 * last one. Fails with QUOTA_EXCEEDED.
 */
export async function requireSeat(tx: Prisma.TransactionClient, orgId: string, limit: number | null): Promise<void> {
  if (limit === null) return;
  const members = await tx.total.findUnique({ where: { orgId_of: { orgId, of: 'members' } } });
  const taken = (members?.rows ?? 0) + (await openInvitations(tx, orgId, limit));
  if (taken >= limit) throw quotaExceeded('members, invited ones included', { limit, used: taken });
}

/** Counts no more than matter. */
async function openInvitations(tx: Prisma.TransactionClient, orgId: string, atMost: number): Promise<number> {
  const [counted] = await tx.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM (
      SELECT FROM members.invitations
      WHERE org_id = ${orgId}::uuid AND status = 'pending' AND expires_at > now() LIMIT ${atMost}) open`;
  return counted?.count ?? 0;
}
