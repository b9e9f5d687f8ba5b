import { POLICY_STALENESS_MS } from '@drawbridge/contracts';
import { LRUCache } from 'lru-cache';
import { memoize } from '@drawbridge/rpc';
import { type PrismaClient as Db } from '../gen/prisma/client.js';
import { preparePoliciesInSteps, type PreparedPolicies } from './evaluate.js';
import { type StoredPolicy, toPolicy } from './policy-rows.js';

const KEPT = { ttlMs: POLICY_STALENESS_MS };
/** Limits of the cache, in list entries: about 100 MiB, or ten organizations of maximum size. */
const PREPARED = { max: 10_000, maxSize: 500_000, ttl: 600_000, ttlResolution: 0 };

export interface KnownPolicies {
  /** Returns the enabled policies of an organization, compiled for `evaluate`. */
  of(orgId: string): Promise<PreparedPolicies<StoredPolicy>>;
  /** Drops the cached policies. Call it after a write in this process. */
  forget(orgId: string): void;
}

interface Prepared {
  version: string;
  policies: PreparedPolicies<StoredPolicy>;
}

/** Caches policies. Checks their version at most every POLICY_STALENESS_MS, and reads and compiles them only after a change. */
export function knownPolicies(db: Db): KnownPolicies {
  const prepared = new LRUCache<string, Prepared>({
    ...PREPARED,
    sizeCalculation: ({ policies }) => policies.entries + 1,
  });

  const known = memoize(KEPT, async (orgId) => {
    const version = await versionOf(db, orgId);
    const before = prepared.get(orgId);
    if (before?.version === version) return before.policies;
    const rows = await db.approvalPolicy.findMany({ where: { orgId, enabled: true } });
    const policies = await preparePoliciesInSteps(rows.map(toPolicy), `${orgId} ${version}`);
    // If the rows are newer than the version, the next check reads them again.
    prepared.set(orgId, { version, policies });
    return policies;
  });
  return { of: (orgId) => known(orgId), forget: (orgId) => known.forget(orgId) };
}

/** Returns a version that changes with each write to a policy of the organization: xmin is the transaction that wrote a row. */
async function versionOf(db: Db, orgId: string): Promise<string> {
  const [row] = await db.$queryRaw<{ version: string | null }[]>`
    SELECT md5(string_agg(id::text || xmin::text, ',' ORDER BY id)) AS version
    FROM approvals.approval_policies WHERE org_id = ${orgId}::uuid AND enabled`;
  return row?.version ?? '';
}
