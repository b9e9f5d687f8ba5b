import { ApiError, invalid, notFound } from '@drawbridge/contracts';
import { caller } from '@drawbridge/rpc';
import { type Member, type Prisma } from './gen/prisma/client.js';

/**
 * Locks an organization until the transaction ends, so that concurrent changes of its members and invitations run one after the other. Checks such as
 * for the last owner or the last seat would otherwise read outdated rows. Returns the plan. Throws NOT_FOUND.
 */
export async function lockOrganization(
  tx: Pick<Prisma.TransactionClient, '$queryRaw'>,
  orgId: string,
): Promise<{ plan: string }> {
  const [organization] = await tx.$queryRaw<{ plan: string }[]>`
    SELECT plan FROM members.organizations WHERE id = ${orgId}::uuid FOR NO KEY UPDATE`;
  if (!organization) throw notFound('Organization', orgId);
  return organization;
}

/**
 * Throws unless the caller may grant `role` to this member or, without a role, remove the member. Only owners add and remove owners, and the last
 * owner cannot be removed. The caller must have locked the organization. Throws FORBIDDEN, and VALIDATION_ERROR for `field`.
 */
export async function requireOwnersKept(
  tx: Prisma.TransactionClient,
  { id, role: before }: Pick<Member, 'id' | 'role'>,
  { role, field }: { role?: string; field: string },
): Promise<void> {
  if (before !== 'owner' && role !== 'owner') return;
  const { orgId, userId } = caller();
  const asking = await tx.member.findUnique({ where: { orgId_userId: { orgId, userId } } });
  if (asking?.role !== 'owner') throw new ApiError('FORBIDDEN', 'Only owners can add or remove owners');
  if (before !== 'owner') return;
  const another = await tx.member.findFirst({ where: { orgId, role: 'owner', id: { not: id } } });
  if (!another) throw invalid({ [field]: 'must not remove the last owner. Make another member an owner first' });
}

/** Revokes the API keys and sessions that a user has in an organization. Must be called in the transaction that removes the user. */
export async function revokeAccess(
  tx: Prisma.TransactionClient,
  { orgId, userId }: { orgId: string; userId: string },
): Promise<void> {
  await tx.apiKey.updateMany({ where: { orgId, userId, revokedAt: null }, data: { revokedAt: new Date() } });
  await tx.session.deleteMany({ where: { userId, activeOrgId: orgId } });
}

/**
 * Cancels the pending invitations that a user or the keys of the user sent; with `keyId`, only those of that key. The caller must have locked the
 * organization, because accepting an invitation locks it too. Returns a clause for the audit log entry, empty if there were no invitations.
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
