import { memoize } from '@drawbridge/rpc';
import { type PrismaClient as Db } from '../gen/prisma/client.js';
import { preparePolicies, type PreparedPolicies } from './evaluate.js';
import { type StoredPolicy, toPolicy } from './policy-rows.js';

/** A changed policy must hold everywhere within a second. */
const KEPT = { ttlMs: 900 };

export interface KnownPolicies {
  /** The enabled ones of an organization, as `evaluate` takes them. */
  of(orgId: string): Promise<PreparedPolicies<StoredPolicy>>;
  /** After a write in this process. */
  forget(orgId: string): void;
}

/** What every call is held to, read at most about once a second. */
export function knownPolicies(db: Db): KnownPolicies {
  const known = memoize(KEPT, async (orgId) =>
    preparePolicies((await db.approvalPolicy.findMany({ where: { orgId, enabled: true } })).map(toPolicy)),
  );
  return { of: (orgId) => known(orgId), forget: (orgId) => known.forget(orgId) };
}
