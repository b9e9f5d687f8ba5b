import { ApiError, invalid } from '@drawbridge/contracts';
import { caller } from '@drawbridge/rpc';
import { type Member, type Prisma } from './gen/prisma/client.js';

/**
 * Checks whether the caller may give this member `role` or, without one, remove the member. Only owners add and remove owners, and the last one
 * stays. Call it with the organization locked. Throws FORBIDDEN, and VALIDATION_ERROR on `field`.
 */
export async function requireOwnersKept(
  tx: Prisma.TransactionClient,
  { id, role: before }: Pick<Member, 'id' | 'role'>,
  { role, field }: { role?: string; field: string },
): Promise<void> {
  if (before !== 'owner' && role !== 'owner') return;
  const { orgId, userId } = caller();
  const asking = await tx.member.findUnique({ where: { orgId_userId: { orgId, userId } } });
  if (asking?.role !== 'owner') throw new ApiError('FORBIDDEN', 'Only an owner may make or unmake an owner');
  if (before !== 'owner') return;
  const another = await tx.member.findFirst({ where: { orgId, role: 'owner', id: { not: id } } });
  if (!another) throw invalid({ [field]: 'the last owner must stay one' });
}
