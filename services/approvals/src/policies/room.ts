import { requireCount } from '@drawbridge/contracts';
import { lock } from '@drawbridge/database';
import { type Prisma } from '../gen/prisma/client.js';

/** Of an organization: every call is held to all of them. */
const MAX_POLICIES = 500;
/** Of them together: they are read at once. */
const MAX_BYTES = 4 * 1024 * 1024;

/** What an organization has is counted and measured together: writes go one by one until they commit. */
export function lockPolicies(tx: Prisma.TransactionClient, orgId: string): Promise<void> {
  return lock(tx, `approval policies ${orgId}`);
}

/** After the write, under the lock. Throws VALIDATION_ERROR where the organization now holds more than it may. */
export async function requireRoom(tx: Prisma.TransactionClient, orgId: string): Promise<void> {
  const [held] = await tx.$queryRaw<{ policies: number; bytes: number }[]>`
    SELECT count(*)::int AS policies, sum(octet_length(policy::text))::int AS bytes
    FROM approvals.approval_policies AS policy WHERE org_id = ${orgId}::uuid`;
  const { policies, bytes } = held!;
  const owner = 'an organization';
  requireCount(
    { field: 'name', owner, what: 'approval policies', used: policies, most: MAX_POLICIES },
    { field: 'rules', owner, what: 'bytes in its approval policies', used: bytes, most: MAX_BYTES },
  );
}
