import { type Prisma } from '../gen/prisma/client.js';
import { type EarlierRequest } from './standing.js';

type Reader = Pick<Prisma.TransactionClient, '$queryRaw'>;

export type FoundByKey = EarlierRequest & { id: string };

/** The last request that was opened under a key. */
export async function findByKey(db: Reader, orgId: string, key: string): Promise<FoundByKey | undefined> {
  const [found] = await db.$queryRaw<FoundByKey[]>`
    SELECT id, status, policy_id AS "policyId", input_hash AS "inputHash", default_on_timeout AS "defaultOnTimeout",
      coalesce(receipt_expires_at > now(), false) AS "isReceiptGood",
      now() < expires_at + timeout_seconds * interval '1 second' AS "expiredLately",
      coalesce(consumed_at > now() - interval '24 hours', false) AS "usedLately"
    FROM approvals.approval_requests WHERE org_id = ${orgId}::uuid AND idempotency_key = ${key}
    ORDER BY created_at DESC LIMIT 1`;
  return found;
}

interface Reuse {
  orgId: string;
  policyId: string;
  inputHash: string;
  /** Null or 0: an approval counts for its exact retry alone. */
  withinSeconds: number | null;
}

/** The last approval of an identical call that the policy still lets count. */
export async function findReusable(
  db: Reader,
  { orgId, policyId, inputHash, withinSeconds }: Reuse,
): Promise<{ id: string } | undefined> {
  if (!withinSeconds) return undefined;
  const [found] = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM approvals.approval_requests
    WHERE org_id = ${orgId}::uuid AND input_hash = ${inputHash} AND policy_id = ${policyId}::uuid
      AND status IN ('approved', 'consumed') AND decided_at > now() - ${withinSeconds}::int * interval '1 second'
    ORDER BY decided_at DESC LIMIT 1`;
  return found;
}
