import { OrganizationServiceDefinition, type PlanLimits } from '@drawbridge/proto/drawbridge/members/v1/organizations';
import { memoize, type Network } from '@drawbridge/rpc';
import { type FindLimit, planLimit } from '@drawbridge/service';

/** Another plan holds everywhere within a second, and at once where its event has come. */
const REMEMBER_MS = 900;

/** What the plan of an organization allows. Members is asked: outside of any transaction. */
export type FindPlan = (orgId: string) => Promise<PlanLimits>;

export function plans(network: Network): FindPlan {
  const members = network.client('members', OrganizationServiceDefinition);
  return memoize({ ttlMs: REMEMBER_MS }, (orgId: string) => members.getLimits({ orgId }));
}

/** How many connections the plan allows. */
export function connectionLimit(findPlan: FindPlan): FindLimit {
  return planLimit(async (orgId) => {
    const { limits, planVersion: version } = await findPlan(orgId);
    return { allowed: limits?.connections ?? null, version };
  });
}
