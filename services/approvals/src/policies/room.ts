import { requireCount } from '@drawbridge/contracts';
import { lock } from '@drawbridge/database';
import { type Prisma } from '../gen/prisma/client.js';

/** Limit per organization: every call is evaluated against all of its policies. */
const MAX_POLICIES = 500;
/** Limit of all policies together: they are read at once. */
const MAX_BYTES = 4 * 1024 * 1024;

/** Serializes the policy writes of an organization until they commit, because its limits cover all of its policies. */
export function lockPolicies(tx: Prisma.TransactionClient, orgId: string): Promise<void> {
  return lock(tx, `approval policies ${orgId}`);
}

/** Throws VALIDATION_ERROR if the organization exceeds its limits. Call it after the write, under the lock. */
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
