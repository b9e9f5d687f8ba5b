import { notFound } from '@drawbridge/contracts';
import { type Prisma } from './gen/prisma/client.js';

/**
 * Who belongs to an organization is changed one transaction after the other: the last owner, the last seat and an invitation
 * are each looked at by one alone. Holds until the transaction ends. Answers what the organization is.
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
