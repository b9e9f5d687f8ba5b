import { OrganizationServiceDefinition, type PlanLimits } from '@drawbridge/proto/drawbridge/members/v1/organizations';
import { memoize, type Network } from '@drawbridge/rpc';
import { type Transaction } from './database.js';

/** Another plan holds everywhere within a second, and at once where its event has come. */
const REMEMBER_MS = 900;

/** What the plan of an organization allows. Members is asked: outside of any transaction. */
export type FindPlan = (orgId: string) => Promise<PlanLimits>;

export function plans(network: Network): FindPlan {
  const members = network.client('members', OrganizationServiceDefinition);
  return memoize({ ttlMs: REMEMBER_MS }, (orgId: string) => members.getLimits({ orgId }));
}

/**
 * How many connections the plan allows; null: no limit. The second question is for a transaction that holds the quota, and finds
 * what an event said since.
 */
export type FindLimit = (orgId: string) => Promise<(tx: Pick<Transaction, 'planLimit'>) => Promise<number | null>>;

export function connectionLimit(findPlan: FindPlan): FindLimit {
  return async (orgId) => {
    const { limits, planVersion } = await findPlan(orgId);
    return async (tx) => {
      const noted = await tx.planLimit.findUnique({ where: { orgId } });
      return noted && noted.version > planVersion ? noted.allowed : (limits?.connections ?? null);
    };
  };
}
