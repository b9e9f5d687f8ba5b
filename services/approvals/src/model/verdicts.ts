import { type RetentionRule } from '@drawbridge/events';
import { type PrismaClient as Db } from '../gen/prisma/client.js';
import { type Verdict } from '../policies/evaluate.js';

/** Which call a model was asked about, and for which policy, as it was when its `updated_at` was that. */
export interface Judged {
  orgId: string;
  policyId: string;
  policyVersion: Date;
  inputHash: string;
}

/** What a model said of the very call less than a day ago. */
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
 * What counts from here on: whoever asked at the same time and was told otherwise, it is risky. Of a model that could not be asked nothing is
 * kept.
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
