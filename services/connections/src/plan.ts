import { OrganizationServiceDefinition, type PlanLimits } from '@drawbridge/proto/drawbridge/members/v1/organizations';
import { memoize, type Network } from '@drawbridge/rpc';
import { type FindLimit, planLimit } from '@drawbridge/service';

/** A changed plan takes effect everywhere within a second, and at once when its event arrives. */
const REMEMBER_MS = 900;

/** Returns what the plan of an organization allows. Calls members: use it outside of transactions. */
export type FindPlan = (orgId: string) => Promise<PlanLimits>;

export function plans(network: Network): FindPlan {
  const members = network.client('members', OrganizationServiceDefinition);
  return memoize({ ttlMs: REMEMBER_MS }, (orgId: string) => members.getLimits({ orgId }));
}

export function connectionLimit(findPlan: FindPlan): FindLimit {
  return planLimit(async (orgId) => {
    const { limits, planVersion: version } = await findPlan(orgId);
    return { allowed: limits?.connections ?? null, version };
  });
}
