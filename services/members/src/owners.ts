import { ApiError, invalid } from '@drawbridge/contracts';
import { type Member, type Prisma } from './gen/prisma/client.js';

/** Owners alone make and unmake owners. Fails with FORBIDDEN. */
export async function requireOwner(
  tx: Prisma.TransactionClient,
  { orgId, userId }: { orgId: string; userId: string },
): Promise<void> {
  const asking = await tx.member.findUnique({ where: { orgId_userId: { orgId, userId } } });
  if (asking?.role !== 'owner') throw new ApiError('FORBIDDEN', 'Only an owner may make or unmake an owner');
}

/** Call it with the organization locked. Fails with VALIDATION_ERROR on `field` when this is the last owner. */
export async function requireAnotherOwner(
  tx: Prisma.TransactionClient,
  { id, orgId }: Pick<Member, 'id' | 'orgId'>,
  field: string,
): Promise<void> {
  const another = await tx.member.findFirst({ where: { orgId, role: 'owner', id: { not: id } } });
  if (!another) throw invalid({ [field]: 'the last owner must stay one' });
}
