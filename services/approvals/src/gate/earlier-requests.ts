import { type Prisma } from '../gen/prisma/client.js';
import { type EarlierRequest } from './standing.js';

type Reader = Pick<Prisma.TransactionClient, '$queryRaw'>;

export type FoundByKey = EarlierRequest & { id: string };

/** The most requests that a retry reads. A key has more than one only if its call changed or was rejected. */
const MAX_SEEN = 20;

/** Returns the requests that were opened under a key, newest first. */
export async function findByKey(db: Reader, orgId: string, key: string | undefined): Promise<FoundByKey[]> {
  if (key === undefined) return [];
  return db.$queryRaw<FoundByKey[]>`
    SELECT id, status, policy_id AS "policyId", input_hash AS "inputHash", request_hash AS "requestHash",
      default_on_timeout AS "defaultOnTimeout",
      coalesce(receipt_expires_at > now(), false) AS "isReceiptGood",
      now() < expires_at + timeout_seconds * interval '1 second' AS "expiredLately",
      coalesce(consumed_at > now() - interval '24 hours', false) AS "usedLately"
    FROM approvals.approval_requests WHERE org_id = ${orgId}::uuid AND idempotency_key = ${key}
    ORDER BY created_at DESC LIMIT ${MAX_SEEN}`;
}

interface Reuse {
  orgId: string;
  policyId: string;
  policyVersion: Date;
  inputHash: string;
  /** Null or 0: an approval covers only its exact retry. */
  withinSeconds: number | null;
}

/** Returns the last approval of an identical call that the policy allows to reuse. A change of the policy ends the reuse of earlier approvals. */
export async function findReusable(
  db: Reader,
  { orgId, policyId, policyVersion, inputHash, withinSeconds }: Reuse,
): Promise<{ id: string } | undefined> {
  if (!withinSeconds) return undefined;
  const [found] = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM approvals.approval_requests
    WHERE org_id = ${orgId}::uuid AND input_hash = ${inputHash} AND policy_id = ${policyId}::uuid
      AND policy_version = ${policyVersion.toISOString()}::timestamptz AND status IN ('approved', 'consumed') AND decided_at > now() - ${withinSeconds}::int * interval '1 second'
    ORDER BY decided_at DESC LIMIT 1`;
  return found;
}
