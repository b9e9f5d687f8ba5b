import { POLICY_STALENESS_MS } from '@drawbridge/contracts';
import { LRUCache } from 'lru-cache';
import { memoize } from '@drawbridge/rpc';
import { type PrismaClient as Db } from '../gen/prisma/client.js';
import { preparePoliciesInSteps, type PreparedPolicies } from './evaluate.js';
import { type StoredPolicy, toPolicy } from './policy-rows.js';

const KEPT = { ttlMs: POLICY_STALENESS_MS };
/** Of prepared ones, by the entries of their lists: ten organizations with all that one may have. About 100 MiB. */
const PREPARED = { max: 10_000, maxSize: 500_000, ttl: 600_000, ttlResolution: 0 };

export interface KnownPolicies {
  /** The enabled ones of an organization, as `evaluate` takes them. */
  of(orgId: string): Promise<PreparedPolicies<StoredPolicy>>;
  /** After a write in this process. */
  forget(orgId: string): void;
}

interface Prepared {
  version: string;
  policies: PreparedPolicies<StoredPolicy>;
}

/** What every call is held to: looked at every POLICY_STALENESS_MS at most, and read and prepared again only where something changed. */
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
    // Rows that are newer than the version are read once more.
    prepared.set(orgId, { version, policies });
    return policies;
  });
  return { of: (orgId) => known(orgId), forget: (orgId) => known.forget(orgId) };
}

/** Another with each write to any of an organization's policies: PostgreSQL numbers the transaction that wrote a row (xmin). */
async function versionOf(db: Db, orgId: string): Promise<string> {
  const [row] = await db.$queryRaw<{ version: string | null }[]>`
    SELECT md5(string_agg(id::text || xmin::text, ',' ORDER BY id)) AS version
    FROM approvals.approval_policies WHERE org_id = ${orgId}::uuid AND enabled`;
  return row?.version ?? '';
}
