import { notFound } from '@drawbridge/contracts';
import { type Prisma } from './gen/prisma/client.js';

/**
 * Serializes changes of an organization's membership, so that checks of the last owner, the last seat and an invitation do not race. The lock holds
 * until the transaction ends. Throws NOT_FOUND.
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
