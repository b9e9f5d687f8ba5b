import { type RetentionRule } from '@drawbridge/events';
import { type PrismaClient as Db } from '../gen/prisma/client.js';
import { type Verdict } from '../policies/evaluate.js';

/** Identifies a verdict: the call, and the policy in the version of its `updated_at`. */
export interface Judged {
  orgId: string;
  policyId: string;
  policyVersion: Date;
  inputHash: string;
}

/** Returns a model's verdict on the same call that is less than a day old. */
export async function findVerdict(
  db: Db,
  { orgId, policyId, policyVersion, inputHash }: Judged,
): Promise<Verdict | undefined> {
  const [found] = await db.$queryRaw<Verdict[]>`
    SELECT is_risky AS "isRisky", reason FROM approvals.model_verdicts
    WHERE org_id = ${orgId}::uuid AND policy_id = ${policyId}::uuid AND policy_version = ${policyVersion.toISOString()}::timestamptz
      AND input_hash = ${inputHash} AND created_at > now() - interval '1 day'`;
  return found;
}

/**
 * Stores a verdict and returns the one that applies. If concurrent verdicts differ, the call is risky. A failure to ask the model is not
 * stored.
 */
export async function keepVerdict(
  db: Db,
  { orgId, policyId, policyVersion, inputHash }: Judged,
  verdict: Verdict,
): Promise<Verdict> {
  if (verdict.isDoubt) return verdict;
  const [kept] = await db.$queryRaw<Verdict[]>`
    INSERT INTO approvals.model_verdicts (org_id, policy_id, policy_version, input_hash, is_risky, reason)
    VALUES (${orgId}::uuid, ${policyId}::uuid, ${policyVersion.toISOString()}::timestamptz, ${inputHash}, ${verdict.isRisky},
      ${verdict.reason})
    ON CONFLICT (org_id, policy_id, policy_version, input_hash) DO UPDATE SET
      is_risky = model_verdicts.is_risky OR excluded.is_risky,
      reason = CASE WHEN model_verdicts.is_risky THEN model_verdicts.reason ELSE excluded.reason END
    RETURNING is_risky AS "isRisky", reason`;
  return kept!;
}

export const OLD_VERDICTS: RetentionRule = {
  table: 'approvals.model_verdicts',
  key: 'org_id, policy_id, policy_version, input_hash',
  oldest: 'created_at',
  expired: "created_at < now() - interval '1 day'",
};
