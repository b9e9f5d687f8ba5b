import { invalid } from '@drawbridge/contracts';
import { type Prisma } from '../gen/prisma/client.js';

/** Of an organization: every call is held to all of them. */
const MAX_POLICIES = 500;
/** Of them together: they are read at once. */
const MAX_BYTES = 4 * 1024 * 1024;

/** What an organization has is counted and measured together: writes go one by one until they commit. */
export async function lockPolicies(tx: Prisma.TransactionClient, orgId: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`approval policies ${orgId}`}, 0))`;
}

/** After the write, under the lock. Throws VALIDATION_ERROR where the organization now holds more than it may. */
export async function requireRoom(tx: Prisma.TransactionClient, orgId: string): Promise<void> {
  const [held] = await tx.$queryRaw<{ policies: number; bytes: number }[]>`
    SELECT count(*)::int AS policies, sum(octet_length(policy::text))::int AS bytes
    FROM approvals.approval_policies AS policy WHERE org_id = ${orgId}::uuid`;
  const { policies, bytes } = held!;
  if (policies > MAX_POLICIES) throw invalid({ name: `an organization has at most ${MAX_POLICIES} approval policies` });
  if (bytes > MAX_BYTES) throw invalid({ rules: `of all policies of an organization hold at most ${MAX_BYTES} bytes` });
}
