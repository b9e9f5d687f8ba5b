import { type Prisma } from '../gen/prisma/client.js';

/** Returns whether a request can still be decided, by the database's clock. */
export async function isPending(
  db: Pick<Prisma.TransactionClient, '$queryRaw'>,
  { id, orgId }: { id: string; orgId: string },
): Promise<boolean> {
  const rows = await db.$queryRaw<object[]>`
    SELECT id FROM approvals.approval_requests
    WHERE org_id = ${orgId}::uuid AND id = ${id}::uuid AND status = 'pending' AND expires_at > now()`;
  return rows.length > 0;
}
